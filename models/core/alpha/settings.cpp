#include "models/core/alpha/settings.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace pmusim::core::alpha {
namespace {

using S = Settings;
constexpr std::int64_t most_bytes = 64 << 20;

constexpr std::array<Field<Settings>, 34> fields{{
    {"core.l1i_bytes", &S::l1i_bytes, 1024, most_bytes, "bytes", "Icache"},
    {"core.l1i_ways", &S::l1i_ways, 1, 8, "ways", "Icache"},
    {"core.l1i_line", &S::l1i_line, 16, 128, "bytes", "line of the Icache"},
    {"core.stream_lines", &S::stream_lines, 0, 4, "lines", "asked for after a line of code that misses"},
    {"core.code_fills", &S::code_fills, 2, 16, "entries", "lines of code under way or in the refill buffer"},
    {"core.l1d_bytes", &S::l1d_bytes, 1024, most_bytes, "bytes", "Dcache"},
    {"core.l1d_ways", &S::l1d_ways, 1, 8, "ways", "Dcache"},
    {"core.l1d_line", &S::l1d_line, 16, 64, "bytes", "line of the Dcache, entry of the write buffer"},
    {"core.load_use", &S::load_use, 1, 16, "cycles", "issue of a load that hits to issue of a user"},
    {"core.miss_file", &S::miss_file, 1, 16, "entries", "blocks of data under way: miss address file, load silo"},
    {"core.write_buffer", &S::write_buffer, 1, 16, "entries", "write buffer"},
    {"core.write_buffer_start", &S::write_buffer_start, 1, 16, "entries", "used entries that make the oldest go out"},
    {"core.write_buffer_age", &S::write_buffer_age, 1, 65535, "cycles", "age at which an entry goes out anyway"},
    {"core.writes_under_way", &S::writes_under_way, 1, 8, "entries", "of the write buffer going out at a time"},
    {"core.scache_bytes", &S::scache_bytes, 0, most_bytes, "bytes", "secondary cache, write-back; 0: none"},
    {"core.scache_ways", &S::scache_ways, 1, 8, "ways", "secondary cache"},
    {"core.scache_line", &S::scache_line, 32, 64, "bytes", "block of the secondary cache"},
    {"core.scache_read", &S::scache_read, 2, 1000, "cycles", "load to use, Scache hit"},
    {"core.scache_interval", &S::scache_interval, 1, 100, "cycles", "from lookup to lookup"},
    {"core.bcache_bytes", &S::bcache_bytes, 0, most_bytes, "bytes",
     "board cache, direct mapped, write-back; of the board; 0: none"},
    {"core.bcache_line", &S::bcache_line, 32, 64, "bytes", "block of the board cache"},
    {"core.bcache_read", &S::bcache_read, 5, 1000, "cycles", "load to use, Bcache hit; a figure of the board"},
    {"core.bcache_interval", &S::bcache_interval, 1, 100, "cycles", "from lookup to lookup; a figure of the board"},
    {"core.memory_read", &S::memory_read, 6, 10000, "cycles", "load to use, data from memory; a figure of the board"},
    {"core.pin_events", &S::pin_events, 0, 2, "", "Bcache misses pulse pin 0 (victim) and pin 1: without (1), all (2)"},
    {"core.itb_entries", &S::itb_entries, 1, 256, "entries", "instruction translation buffer"},
    {"core.dtb_entries", &S::dtb_entries, 1, 256, "entries", "data translation buffer"},
    {"core.tb_round_robin", &S::tb_round_robin, 0, 1, "", "translation buffers: entries in turn (1) or LRU (0)"},
    {"core.tb_flow", &S::tb_flow, 1, 10000, "cycles", "in PALmode for a TB miss"},
    {"core.tb_double_flow", &S::tb_double_flow, 1, 10000, "cycles", "more, for a double miss"},
    {"core.trap_flow", &S::trap_flow, 1, 10000, "cycles", "in PALmode for a fault, trap or machine check"},
    {"core.interrupt_flow", &S::interrupt_flow, 1, 10000, "cycles", "in PALmode for an interrupt"},
    {"core.call_pal_flow", &S::call_pal_flow, 1, 10000, "cycles", "in PALmode for call_pal"},
    {"core.pal_instructions", &S::pal_instructions, 1, 1000, "instructions", "of a flow, in its last cycles"},
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
  read_fields(*this, shared_fields(), given);
  write_back = made == Chip::ev6 || made == Chip::ev67;
  if (write_back) write_buffer = 0;
  require(cache_fits(l1i_bytes, l1i_ways, l1i_line), "core.l1i_bytes / core.l1i_ways must be a power of two of lines");
  require(cache_fits(l1d_bytes, l1d_ways, l1d_line), "core.l1d_bytes / core.l1d_ways must be a power of two of lines");
  require(scache_bytes == 0 || cache_fits(scache_bytes, scache_ways, scache_line),
          "core.scache_bytes / core.scache_ways must be a power of two of blocks");
  require(bcache_bytes == 0 || cache_fits(bcache_bytes, 1, bcache_line),
          "core.bcache_bytes must be a power of two of blocks");
  require(bcache_bytes == 0 || scache_bytes == 0 || bcache_line >= scache_line,
          "core.bcache_line must not be smaller than core.scache_line");
  require(code_fills > stream_lines, "core.code_fills must be greater than core.stream_lines");
  require(miss_file + code_fills + write_buffer <= 64, "core.miss_file, code_fills, write_buffer: at most 64 together");
}

}  // namespace pmusim::core::alpha
