// The 21064: sizes and latencies. GCC: its scheduler description of the chip; GEN: general literature, no manual
// seen; GMP: notes of its authors on multiplies as measured; HRM-PC: 21164PC Hardware Reference Manual; pfm: Tru64
// pfm(7).
#include <array>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/chips/tables.h"
#include "models/core/alpha/in_order/core.h"

namespace pmusim::core {
namespace alpha {
namespace {

constexpr std::array<Value, 48> values{{
    // name, value, source, confirmed
    {"core.l1i_bytes", 8192, "GEN", choice},
    {"core.l1i_ways", 1, "GEN", choice},
    {"core.l1i_line", 32, "GEN", choice},
    {"core.stream_lines", 1, "GEN: one 32-byte stream buffer", choice},
    {"core.code_fills", 3, "none", choice},
    {"core.l1d_bytes", 8192, "GEN", choice},
    {"core.l1d_ways", 1, "GEN", choice},
    {"core.l1d_line", 32, "GEN", choice},
    {"core.load_use", 3, "GCC", yes},
    {"core.miss_file", 2, "none: load silo", choice},
    {"core.write_buffer", 4, "GEN", choice},
    {"core.write_buffer_start", 2, "none", choice},
    {"core.write_buffer_age", 256, "none", choice},
    {"core.writes_under_way", 1, "none", choice},
    {"core.bcache_bytes", 524288, "GEN: 128 KB to 16 MB", choice},
    {"core.bcache_line", 32, "GEN", choice},
    {"core.bcache_read", 10, "none", choice},
    {"core.bcache_interval", 5, "none", choice},
    {"core.bcache_write", 15, "GMP, mpn/alpha/README: as much as 15 cycles on most systems", choice},
    {"core.memory_read", 60, "none", choice},
    {"core.pin_events", 1, "pfm: DEC 3000/400 and /500", yes},
    {"core.itb_entries", 8, "GEN", choice},
    {"core.dtb_entries", 32, "GEN", choice},
    {"core.tb_round_robin", 0, "none", choice},
    {"core.tb_flow", 30, "none", choice},
    {"core.tb_double_flow", 30, "none", choice},
    {"core.trap_flow", 60, "none", choice},
    {"core.interrupt_flow", 60, "none", choice},
    {"core.call_pal_flow", 30, "none", choice},
    {"core.pal_instructions", 12, "none", choice},
    {"core.fetch_blocks", 4, "none", choice},
    {"core.fetch_to_issue", 3, "GEN: issue after stage 3", choice},
    {"core.taken_bubble", 1, "none", choice},
    {"core.mispredict_penalty", 4, "GEN", choice},
    {"core.replay_penalty", 7, "none: as the 21164", choice},
    {"core.history_entries", 2048, "GEN", choice},
    {"core.history_bits", 1, "GEN", choice},
    {"core.return_stack", 4, "GEN", choice},
    {"core.barrier_cycles", 4, "GCC", yes},
    {"core.store_conditional", 10, "none: as a Bcache read", choice},
    {"core.mull", 21, "GCC", yes},
    {"core.mulq", 23, "GCC; GMP, mpn/alpha/README", yes},
    {"core.umulh", 23, "GCC; GMP, mpn/alpha/README", yes},
    {"core.mull_interval", 21, "GCC", yes},
    {"core.mulq_interval", 21, "GMP, mpn/alpha/README: two cycles are pipelined", yes},
    {"core.umulh_interval", 21, "GMP, mpn/alpha/README: two cycles are pipelined", yes},
    {"core.load_behind_store", 0, "none", choice},
    {"core.load_replay", 1, "pfm: the replay of a load that misses counts as a load again", yes},
}};

}  // namespace

std::span<const Value> ev4_values() { return values; }

}  // namespace alpha

models::Parameters alpha_ev4_parameters() { return alpha::in_order_parameters(alpha::Chip::ev4); }

std::unique_ptr<Core> make_alpha_ev4(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_in_order(alpha::Chip::ev4, std::move(reader), parameters);
}

}  // namespace pmusim::core
