// The 21264 (EV6) and 21264A (EV67), which differ only in the instructions of CIX: sizes and latencies. HRM67:
// 21264/EV67 Hardware Reference Manual; GEN: general literature, no manual seen.
#include <array>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/chips/tables.h"
#include "models/core/alpha/out_of_order/settings.h"

namespace pmusim::core {
namespace alpha {
namespace {

constexpr std::string_view manual = "21264/EV67 manual 2.1";
constexpr std::string_view penalties = "21264/EV67 manual 2.3, abort penalties";
constexpr std::string_view open = "no document settles it";
constexpr std::string_view remembered = "literature on the 21264, not checked in a document";

constexpr std::array<Value, 59> values{{
    // name, value, source, confirmed
    {"core.l1i_bytes", 65536, "HRM67 2.1", yes},
    {"core.l1i_ways", 2, "HRM67 2.1", yes},
    {"core.l1i_line", 64, "GEN", choice},
    {"core.stream_lines", 3, "none", choice},
    {"core.code_fills", 8, "none", choice},
    {"core.l1d_bytes", 65536, "HRM67 2.1", yes},
    {"core.l1d_ways", 2, "HRM67 2.1", yes},
    {"core.l1d_line", 64, "GEN", choice},
    {"core.load_use", 3, "HRM67 2.3", yes},
    {"core.miss_file", 8, "HRM67 2.1", yes},
    {"core.bcache_bytes", 4194304, "1 to 16 MB, GEN; size of the board", choice},
    {"core.bcache_line", 64, "GEN", choice},
    {"core.bcache_read", 13, "HRM67 2.3, with a Bcache of 6 cycles", yes},
    {"core.bcache_interval", 6, "none", choice},
    {"core.memory_read", 100, "none", choice},
    {"core.itb_entries", 128, "HRM67 2.1", yes},
    {"core.dtb_entries", 128, "HRM67 2.1", yes},
    {"core.tb_round_robin", 1, "HRM67 2.1", yes},
    {"core.tb_flow", 20, "none", choice},
    {"core.tb_double_flow", 20, "none", choice},
    {"core.trap_flow", 40, "none", choice},
    {"core.interrupt_flow", 40, "none", choice},
    {"core.call_pal_flow", 20, "none", choice},
    {"core.pal_instructions", 10, "none", choice},
    // pipeline
    {"core.wrong_path", 1, open, choice},
    {"core.fetch_groups", 20, manual, yes},
    {"core.integer_queue", 20, manual, yes},
    {"core.fp_queue", 15, manual, yes},
    {"core.integer_registers", 41, "80 less 31 and 8 of PALcode, GMP mpn/alpha/README", yes},
    {"core.fp_registers", 41, "72 less 31", yes},
    {"core.register_reserve", 8, "sim-alpha, validated by a DS-10L (Desikan et al., ISCA 2001)", yes},
    {"core.register_stall", 3, "sim-alpha, as above", yes},
    {"core.register_release", 3, "none; as long as the stall", choice},
    {"core.queue_release", 2, "21264/EV67 manual 2.7.1", yes},
    {"core.load_queue", 32, manual, yes},
    {"core.store_queue", 32, manual, yes},
    {"core.retire_width", 8, "21264/EV67 manual 6.10.1", yes},
    {"core.retire_burst", 11, "21264/EV67 manual 6.10.1", yes},
    {"core.line_bubble", 1, remembered, choice},
    {"core.return_stack", 32, remembered, choice},
    {"core.store_wait_entries", 1024, remembered, choice},
    {"core.store_wait_period", 16384, remembered, choice},
    {"core.cluster_delay", 1, "21264/EV67 manual 2.3", yes},
    {"core.fp_to_store", 2, "21264/EV67 manual 2.3", yes},
    {"core.fp_load_extra", 1, "21264/EV67 manual 2.3", yes},
    {"core.mispredict_penalty", 7, penalties, yes},
    {"core.jump_penalty", 8, penalties, yes},
    {"core.order_penalty", 14, penalties, yes},
    {"core.replay_penalty", 13, penalties, yes},
    {"core.dtb_penalty", 13, penalties, yes},
    {"core.itb_penalty", 7, penalties, yes},
    {"core.arithmetic_penalty", 12, penalties, yes},
    {"core.fp_arithmetic_penalty", 13, penalties, yes},
    {"core.decode_penalty", 13, open, choice},
    {"core.integer_retire", 7, remembered, choice},
    {"core.memory_retire", 10, remembered, choice},
    {"core.jump_retire", 10, remembered, choice},
    {"core.fp_retire", 7, remembered, choice},
    {"core.four_levels", 0, open, choice},
}};

}  // namespace

std::span<const Value> ev6_values() { return values; }

}  // namespace alpha

models::Parameters alpha_ev6_parameters() { return alpha::out_of_order::out_of_order_parameters(alpha::Chip::ev6); }
models::Parameters alpha_ev67_parameters() { return alpha::out_of_order::out_of_order_parameters(alpha::Chip::ev67); }

}  // namespace pmusim::core
