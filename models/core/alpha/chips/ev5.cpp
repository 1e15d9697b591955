// The 21164 (EV5, EV56): sizes and latencies. GCC: its scheduler description of the chip; GEN: general literature, no
// manual seen; HRM-PC: 21164PC Hardware Reference Manual; pfm: Tru64 pfm(7).
#include <array>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/chips/tables.h"
#include "models/core/alpha/in_order/core.h"

namespace pmusim::core {
namespace alpha {
namespace {

constexpr std::array<Value, 53> values{{
    // name, value, source, confirmed
    {"core.l1i_bytes", 8192, "catalogue summary of the 21164 manual", yes},
    {"core.l1i_ways", 1, "GEN", choice},
    {"core.l1i_line", 32, "GEN", choice},
    {"core.stream_lines", 3, "HRM-PC 2-4: refill buffer of four lines", choice},
    {"core.code_fills", 5, "none", choice},
    {"core.l1d_bytes", 8192, "catalogue summary of the 21164 manual", yes},
    {"core.l1d_ways", 1, "GEN", choice},
    {"core.l1d_line", 32, "GEN", choice},
    {"core.load_use", 2, "GCC", yes},
    {"core.miss_file", 6, "HRM-PC 2-28", yes},
    {"core.write_buffer", 6, "HRM-PC 2-12", yes},
    {"core.write_buffer_start", 2, "none", choice},
    {"core.write_buffer_age", 64, "none", choice},
    {"core.writes_under_way", 2, "none", choice},
    {"core.scache_bytes", 98304, "catalogue summary of the 21164 manual", yes},
    {"core.scache_ways", 3, "catalogue summary of the 21164 manual", yes},
    {"core.scache_line", 64, "GEN", choice},
    {"core.scache_read", 8, "GEN", choice},
    {"core.scache_interval", 2, "none", choice},
    {"core.bcache_bytes", 2097152, "optional; size of the board", choice},
    {"core.bcache_line", 64, "GEN", choice},
    {"core.bcache_read", 38, "board: PC164, lmbench, in GCC's cost tables", choice},
    {"core.bcache_interval", 4, "board: none", choice},
    {"core.memory_read", 80, "none", choice},
    {"core.itb_entries", 48, "GEN", choice},
    {"core.dtb_entries", 64, "GEN", choice},
    {"core.tb_round_robin", 0, "none", choice},
    {"core.tb_flow", 20, "none", choice},
    {"core.tb_double_flow", 20, "none", choice},
    {"core.trap_flow", 40, "none", choice},
    {"core.interrupt_flow", 40, "none", choice},
    {"core.call_pal_flow", 20, "none", choice},
    {"core.pal_instructions", 10, "none", choice},
    {"core.fetch_blocks", 3, "none", choice},
    {"core.fetch_to_issue", 3, "GEN: issue in stage 3", choice},
    {"core.taken_bubble", 1, "none", choice},
    {"core.mispredict_penalty", 5, "GEN", choice},
    {"core.replay_penalty", 7, "HRM-PC 2-33, for a load after a store", choice},
    {"core.history_entries", 2048, "GEN", choice},
    {"core.history_bits", 2, "GEN", choice},
    {"core.return_stack", 12, "GEN", choice},
    {"core.barrier_cycles", 4, "none", choice},
    {"core.store_conditional", 20, "none: as a Bcache read", choice},
    {"core.mull", 8, "GCC; HRM-PC 2-25", yes},
    {"core.mulq", 12, "GCC; HRM-PC 2-25", yes},
    {"core.umulh", 14, "GCC; HRM-PC 2-25", yes},
    {"core.mull_interval", 4, "GCC", yes},
    {"core.mulq_interval", 8, "GCC; GMP, mpn/alpha/README", yes},
    {"core.umulh_interval", 10, "GMP, mpn/alpha/README, measured; GCC: 8", choice},
    {"core.multiply_fresh", 2, "HRM-PC 2-25: up to two", choice},
    {"core.store_load_window", 1, "HRM-PC 2-12, 2-33", yes},
    {"core.load_behind_store", 1, "GMP, mpn/alpha/README: after any; the copy loop of the DCPI paper: not always",
     choice},
    {"core.load_replay", 0, "none: the user is replayed", choice},
}};

}  // namespace

std::span<const Value> ev5_values() { return values; }

}  // namespace alpha

models::Parameters alpha_ev5_parameters() { return alpha::in_order_parameters(alpha::Chip::ev5); }

std::unique_ptr<Core> make_alpha_ev5(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_in_order(alpha::Chip::ev5, std::move(reader), parameters);
}

}  // namespace pmusim::core
