#include "models/core/alpha/out_of_order/sizes.h"

#include <bit>
#include <string>

namespace pmusim::core::alpha::out_of_order {
namespace {

constexpr std::string_view manual = "21264/EV67 manual 2.1";
constexpr std::string_view penalties = "21264/EV67 manual 2.3, abort penalties";
constexpr std::string_view open = "no document settles it";
constexpr std::string_view remembered = "literature on the 21264, not checked in a document";

constexpr Field<Sizes> fields[] = {
    {"core.wrong_path", &Sizes::wrong_path, 0, 1, "", "fetch and execute after a misprediction"},
    {"core.fetch_groups", &Sizes::fetch_groups, 2, 32, "groups", "fetch groups in flight, four retire slots each"},
    {"core.integer_queue", &Sizes::integer_queue, 4, 64, "entries", "integer issue queue"},
    {"core.fp_queue", &Sizes::fp_queue, 4, 64, "entries", "floating-point issue queue"},
    {"core.load_queue", &Sizes::load_queue, 4, 64, "entries", "loads from map to retirement"},
    {"core.store_queue", &Sizes::store_queue, 4, 64, "entries", "stores from map to the Dcache"},
    {"core.retire_width", &Sizes::retire_width, 1, 32, "operations", "retired in a cycle, sustained"},
    {"core.retire_burst", &Sizes::retire_burst, 1, 32, "operations", "retired in a cycle, at most"},
    {"core.line_bubble", &Sizes::line_bubble, 0, 8, "cycles", "without fetch when the line predictor was wrong"},
    {"core.return_stack", &Sizes::return_stack, 1, 64, "entries", "return address stack"},
    {"core.store_wait_entries", &Sizes::store_wait_entries, 1, 65536, "bits",
     "loads that a store trapped wait for older stores, by address"},
    {"core.store_wait_period", &Sizes::store_wait_period, 1, 1 << 24, "cycles", "until those bits are cleared"},
    {"core.cluster_delay", &Sizes::cluster_delay, 0, 8, "cycles", "a result reaches the other cluster later"},
    {"core.fp_to_store", &Sizes::fp_to_store, 0, 16, "cycles", "an FP result reaches FP store and FTOI later"},
    {"core.fp_load_extra", &Sizes::fp_load_extra, 0, 8, "cycles", "an FP load takes longer than an integer load"},
    {"core.mispredict_penalty", &Sizes::mispredict_penalty, 5, 64, "cycles", "conditional branch mispredicted"},
    {"core.jump_penalty", &Sizes::jump_penalty, 5, 64, "cycles", "target of a jump mispredicted"},
    {"core.order_penalty", &Sizes::order_penalty, 5, 64, "cycles", "load-load or store-load order trap"},
    {"core.replay_penalty", &Sizes::replay_penalty, 5, 64, "cycles", "other replay traps"},
    {"core.dtb_penalty", &Sizes::dtb_penalty, 5, 64, "cycles", "DTB miss, fault or unaligned access, to PALcode"},
    {"core.itb_penalty", &Sizes::itb_penalty, 2, 64, "cycles", "ITB miss or fault, to PALcode"},
    {"core.arithmetic_penalty", &Sizes::arithmetic_penalty, 5, 64, "cycles", "integer arithmetic trap, MT_FPCR"},
    {"core.fp_arithmetic_penalty", &Sizes::fp_arithmetic_penalty, 5, 64, "cycles",
     "FP arithmetic trap, in addition to the latency"},
    {"core.decode_penalty", &Sizes::decode_penalty, 5, 64, "cycles", "reserved opcode, FP disabled"},
    {"core.integer_retire", &Sizes::integer_retire, 4, 64, "cycles", "fetch to retirement, integer and FP branch"},
    {"core.memory_retire", &Sizes::memory_retire, 4, 64, "cycles", "fetch to retirement, loads and stores"},
    {"core.jump_retire", &Sizes::jump_retire, 4, 64, "cycles", "fetch to retirement, jumps and subroutine calls"},
    {"core.fp_retire", &Sizes::fp_retire, 4, 64, "cycles", "fetch to retirement less latency, FP operates"},
    {"core.four_levels", &Sizes::four_levels, 0, 1, "", "page tables have four levels, else three"},
};

constexpr Value values[] = {
    {"core.wrong_path", 1, open, choice},
    {"core.fetch_groups", 20, manual, yes},
    {"core.integer_queue", 20, manual, yes},
    {"core.fp_queue", 15, manual, yes},
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
};

}  // namespace

std::span<const Field<Sizes>> sizes_fields() { return fields; }
std::span<const Value> sizes_values() { return values; }

Sizes::Sizes(const models::Parameters& given) {
  read_fields<Sizes>(*this, fields, given);
  if (!std::has_single_bit(store_wait_entries)) {
    throw models::ParameterError("alpha core: core.store_wait_entries must be a power of two");
  }
  if (retire_burst < retire_width) {
    throw models::ParameterError("alpha core: core.retire_burst must be at least core.retire_width");
  }
}

}  // namespace pmusim::core::alpha::out_of_order
