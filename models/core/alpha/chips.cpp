// The values of each chip, with their sources, and the chips' cores. GCC: its scheduler description of the chip; GEN:
// general literature, no manual seen; GMP: notes of its authors on multiplies as measured; HRM-PC: 21164PC Hardware
// Reference Manual; HRM67: 21264/EV67 Hardware Reference Manual; pfm: Tru64 pfm(7).
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/in_order/core.h"
#include "models/core/alpha/out_of_order/core.h"

namespace pmusim::core {
namespace alpha {
namespace {

/// The 21064.
constexpr std::array<Value, 48> ev4{{
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

/// The 21164 (EV5, EV56).
constexpr std::array<Value, 53> ev5{{
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

/// The 21164PC: a 21164 with other caches and without an Scache.
constexpr Value other_than_ev5[] = {
    // name, value, source, confirmed
    {"core.l1i_bytes", 16384, "GEN", choice},
    {"core.l1d_bytes", 8192, "GEN", choice},
    {"core.bcache_bytes", 1048576, "GEN: from 0.5 MB", choice},
    {"core.bcache_read", 10, "HRM-PC 2-25: 10 or more", yes},
    {"core.history_entries", 4096, "GEN: one per instruction of the Icache", choice},
    {"core.store_conditional", 10, "none: as a Bcache read", choice},
};

std::vector<Value> values_of_pca56() {
  std::vector<Value> values;
  for (const Value& of_ev5 : ev5) {
    if (of_ev5.name.starts_with("core.scache_")) continue;
    const auto* const other = std::find_if(std::begin(other_than_ev5), std::end(other_than_ev5),
                                           [&](const Value& v) { return v.name == of_ev5.name; });
    values.push_back(other != std::end(other_than_ev5) ? *other : of_ev5);
  }
  return values;
}

constexpr std::string_view manual = "21264/EV67 manual 2.1";
constexpr std::string_view penalties = "21264/EV67 manual 2.3, abort penalties";
constexpr std::string_view open = "no document settles it";
constexpr std::string_view remembered = "literature on the 21264, not checked in a document";

/// The 21264 (EV6) and the 21264A (EV67), which differ only in the instructions of CIX.
constexpr std::array<Value, 59> ev6{{
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

std::span<const Value> values_of(Chip chip) {
  static const std::vector<Value> pca56 = values_of_pca56();
  switch (chip) {
    case Chip::ev4:
      return ev4;
    case Chip::ev5:
      return ev5;
    case Chip::pca56:
      return pca56;
    case Chip::ev6:
    case Chip::ev67:
      break;
  }
  return ev6;
}

namespace {

template <class Pipeline>
std::unique_ptr<Core> make(Chip chip, std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  require_isa(*reader, trace::Isa::alpha, "alpha");
  return std::make_unique<Pipeline>(chip, std::move(reader), parameters);
}
constexpr auto make_in_order = make<InOrderCore>;
constexpr auto make_out_of_order = make<out_of_order::OutOfOrderCore>;

models::Parameters in_order_parameters(Chip chip) { return parameters_of(shared_fields(), in_order_fields(), chip); }
models::Parameters out_of_order_parameters(Chip chip) {
  return parameters_of(shared_fields(), out_of_order::settings_fields(), chip);
}

}  // namespace
}  // namespace alpha

using alpha::Chip;

models::Parameters alpha_ev4_parameters() { return alpha::in_order_parameters(Chip::ev4); }
models::Parameters alpha_ev5_parameters() { return alpha::in_order_parameters(Chip::ev5); }
models::Parameters alpha_pca56_parameters() { return alpha::in_order_parameters(Chip::pca56); }
models::Parameters alpha_ev6_parameters() { return alpha::out_of_order_parameters(Chip::ev6); }
models::Parameters alpha_ev67_parameters() { return alpha::out_of_order_parameters(Chip::ev67); }

std::unique_ptr<Core> make_alpha_ev4(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_in_order(Chip::ev4, std::move(reader), parameters);
}
std::unique_ptr<Core> make_alpha_ev5(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_in_order(Chip::ev5, std::move(reader), parameters);
}
std::unique_ptr<Core> make_alpha_pca56(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_in_order(Chip::pca56, std::move(reader), parameters);
}
std::unique_ptr<Core> make_alpha_ev6(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_out_of_order(Chip::ev6, std::move(reader), parameters);
}
std::unique_ptr<Core> make_alpha_ev67(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_out_of_order(Chip::ev67, std::move(reader), parameters);
}

}  // namespace pmusim::core
