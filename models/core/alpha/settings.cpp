#include "models/core/alpha/settings.h"

#include <array>
#include <bit>

namespace pmusim::core::alpha {
namespace {

using models::field;
using S = Settings;
constexpr std::int64_t most_bytes = 64 << 20;

constexpr std::array<Field<Settings>, 35> fields{{
    {"core.l1i_bytes", field<&S::l1i_bytes>, 1024, most_bytes, "bytes", "Icache"},
    {"core.l1i_ways", field<&S::l1i_ways>, 1, 8, "ways", "Icache"},
    {"core.l1i_line", field<&S::l1i_line>, 16, 128, "bytes", "line of the Icache"},
    {"core.stream_lines", field<&S::stream_lines>, 0, 4, "lines", "asked for after a line of code that misses"},
    {"core.code_fills", field<&S::code_fills>, 2, 16, "entries", "lines of code under way or in the refill buffer"},
    {"core.l1d_bytes", field<&S::l1d_bytes>, 1024, most_bytes, "bytes", "Dcache"},
    {"core.l1d_ways", field<&S::l1d_ways>, 1, 8, "ways", "Dcache"},
    {"core.l1d_line", field<&S::l1d_line>, 16, 64, "bytes", "line of the Dcache, entry of the write buffer"},
    {"core.load_use", field<&S::load_use>, 1, 16, "cycles", "issue of a load that hits to issue of a user"},
    {"core.miss_file", field<&S::miss_file>, 1, 16, "entries",
     "blocks of data under way: miss address file, load silo"},
    {"core.write_buffer", field<&S::write_buffer>, 1, 16, "entries", "write buffer"},
    {"core.write_buffer_start", field<&S::write_buffer_start>, 1, 16, "entries",
     "used entries that make the oldest go out"},
    {"core.write_buffer_age", field<&S::write_buffer_age>, 1, 65535, "cycles", "age at which an entry goes out anyway"},
    {"core.writes_under_way", field<&S::writes_under_way>, 1, 8, "entries", "of the write buffer going out at a time"},
    {"core.scache_bytes", field<&S::scache_bytes>, 0, most_bytes, "bytes", "secondary cache, write-back; 0: none"},
    {"core.scache_ways", field<&S::scache_ways>, 1, 8, "ways", "secondary cache"},
    {"core.scache_line", field<&S::scache_line>, 32, 64, "bytes", "block of the secondary cache"},
    {"core.scache_read", field<&S::scache_read>, 2, 1000, "cycles", "load to use, Scache hit"},
    {"core.scache_interval", field<&S::scache_interval>, 1, 100, "cycles", "from lookup to lookup"},
    {"core.bcache_bytes", field<&S::bcache_bytes>, 0, most_bytes, "bytes",
     "board cache, direct mapped, write-back; of the board; 0: none"},
    {"core.bcache_line", field<&S::bcache_line>, 32, 64, "bytes", "block of the board cache"},
    {"core.bcache_read", field<&S::bcache_read>, 5, 1000, "cycles", "load to use, Bcache hit; a figure of the board"},
    {"core.bcache_interval", field<&S::bcache_interval>, 1, 100, "cycles",
     "from lookup to lookup; a figure of the board"},
    {"core.bcache_write", field<&S::bcache_write>, 5, 1000, "cycles",
     "a line of the write buffer is written, Bcache hit; a figure of the board"},
    {"core.memory_read", field<&S::memory_read>, 6, 10000, "cycles",
     "load to use, data from memory; a figure of the board"},
    {"core.pin_events", field<&S::pin_events>, 0, 2, "",
     "Bcache misses pulse pin 0 (victim) and pin 1: without (1), all (2)"},
    {"core.itb_entries", field<&S::itb_entries>, 1, 256, "entries", "instruction translation buffer"},
    {"core.dtb_entries", field<&S::dtb_entries>, 1, 256, "entries", "data translation buffer"},
    {"core.tb_round_robin", field<&S::tb_round_robin>, 0, 1, "", "translation buffers: entries in turn (1) or LRU (0)"},
    {"core.tb_flow", field<&S::tb_flow>, 1, 10000, "cycles", "in PALmode for a TB miss"},
    {"core.tb_double_flow", field<&S::tb_double_flow>, 1, 10000, "cycles", "more, for a double miss"},
    {"core.trap_flow", field<&S::trap_flow>, 1, 10000, "cycles", "in PALmode for a fault, trap or machine check"},
    {"core.interrupt_flow", field<&S::interrupt_flow>, 1, 10000, "cycles", "in PALmode for an interrupt"},
    {"core.call_pal_flow", field<&S::call_pal_flow>, 1, 10000, "cycles", "in PALmode for call_pal"},
    {"core.pal_instructions", field<&S::pal_instructions>, 1, 1000, "instructions", "of a flow, in its last cycles"},
}};

bool cache_fits(unsigned bytes, unsigned ways, unsigned line) {
  return std::has_single_bit(line) && bytes % (ways * line) == 0 && std::has_single_bit(bytes / (ways * line));
}

void require(bool holds, std::string_view what) {
  if (!holds) throw models::ParameterError(std::string(what));
}

}  // namespace

std::span<const Field<Settings>> shared_fields() { return fields; }

Settings::Settings(Chip made, const models::Parameters& given) : chip(made) {
  models::read_parameters(*this, rows_of(shared_fields(), made), given);
  write_back = made == Chip::ev6 || made == Chip::ev67;
  require(cache_fits(l1i_bytes, l1i_ways, l1i_line), "core.l1i_bytes / core.l1i_ways must be a power of two of lines");
  require(cache_fits(l1d_bytes, l1d_ways, l1d_line), "core.l1d_bytes / core.l1d_ways must be a power of two of lines");
  require(scache_bytes == 0 || cache_fits(scache_bytes, scache_ways, scache_line),
          "core.scache_bytes / core.scache_ways must be a power of two of blocks");
  require(std::has_single_bit(scache_line) && std::has_single_bit(bcache_line),
          "core.scache_line and core.bcache_line must be powers of two");
  require(bcache_bytes == 0 || cache_fits(bcache_bytes, 1, bcache_line),
          "core.bcache_bytes must be a power of two of blocks");
  require(bcache_bytes == 0 || scache_bytes == 0 || bcache_line >= scache_line,
          "core.bcache_line must not be smaller than core.scache_line");
  require(code_fills > stream_lines, "core.code_fills must be greater than core.stream_lines");
  require(miss_file + code_fills + write_buffer <= 64, "core.miss_file, code_fills, write_buffer: at most 64 together");
}

}  // namespace pmusim::core::alpha
