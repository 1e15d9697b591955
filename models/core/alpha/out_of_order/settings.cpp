#include "models/core/alpha/out_of_order/settings.h"

#include <algorithm>
#include <bit>

#include "models/core/parts/agenda.h"

namespace pmusim::core::alpha::out_of_order {
namespace {

using models::field;
using S = OutOfOrderSettings;

constexpr Field<S> fields[] = {
    {"core.wrong_path", field<&S::wrong_path>, 0, 1, "", "fetch and execute after a misprediction"},
    {"core.fetch_groups", field<&S::fetch_groups>, 2, 32, "groups", "fetch groups in flight, four retire slots each"},
    {"core.integer_queue", field<&S::integer_queue>, 4, 64, "entries", "integer issue queue"},
    {"core.fp_queue", field<&S::fp_queue>, 4, 64, "entries", "floating-point issue queue"},
    {"core.integer_registers", field<&S::integer_registers>, 8, 256, "registers",
     "free physical integer registers: results from map to retirement"},
    {"core.fp_registers", field<&S::fp_registers>, 8, 256, "registers",
     "free physical floating-point registers: results from map to retirement"},
    {"core.register_reserve", field<&S::register_reserve>, 8, 256, "registers",
     "map stalls with fewer free registers of a kind"},
    {"core.register_stall", field<&S::register_stall>, 1, 64, "cycles", "that stall, until map looks again"},
    {"core.register_release", field<&S::register_release>, 0, Releasing::longest, "cycles",
     "from retirement until the register of the value before is free"},
    {"core.queue_release", field<&S::queue_release>, 0, 8, "cycles", "from issue until the entry of the queue is free"},
    {"core.load_queue", field<&S::load_queue>, 4, 64, "entries", "loads from map to retirement"},
    {"core.store_queue", field<&S::store_queue>, 4, 64, "entries", "stores from map to the Dcache"},
    {"core.retire_width", field<&S::retire_width>, 1, 32, "operations", "retired in a cycle, sustained"},
    {"core.retire_burst", field<&S::retire_burst>, 1, 32, "operations", "retired in a cycle, at most"},
    {"core.line_bubble", field<&S::line_bubble>, 0, 8, "cycles", "without fetch when the line predictor was wrong"},
    {"core.return_stack", field<&S::return_stack>, 1, 64, "entries", "return address stack"},
    {"core.store_wait_entries", field<&S::store_wait_entries>, 1, 65536, "bits",
     "loads that a store trapped wait for older stores, by address"},
    {"core.store_wait_period", field<&S::store_wait_period>, 1, 1 << 24, "cycles", "until those bits are cleared"},
    {"core.cluster_delay", field<&S::cluster_delay>, 0, 8, "cycles", "a result reaches the other cluster later"},
    {"core.fp_to_store", field<&S::fp_to_store>, 0, 16, "cycles", "an FP result reaches FP store and FTOI later"},
    {"core.fp_load_extra", field<&S::fp_load_extra>, 0, 8, "cycles", "an FP load takes longer than an integer load"},
    {"core.mispredict_penalty", field<&S::mispredict_penalty>, 5, 64, "cycles", "conditional branch mispredicted"},
    {"core.jump_penalty", field<&S::jump_penalty>, 5, 64, "cycles", "target of a jump mispredicted"},
    {"core.order_penalty", field<&S::order_penalty>, 5, 64, "cycles", "load-load or store-load order trap"},
    {"core.replay_penalty", field<&S::replay_penalty>, 5, 64, "cycles", "other replay traps"},
    {"core.dtb_penalty", field<&S::dtb_penalty>, 5, 64, "cycles", "DTB miss, fault or unaligned access, to PALcode"},
    {"core.itb_penalty", field<&S::itb_penalty>, 2, 64, "cycles", "ITB miss or fault, to PALcode"},
    {"core.arithmetic_penalty", field<&S::arithmetic_penalty>, 5, 64, "cycles", "integer arithmetic trap, MT_FPCR"},
    {"core.fp_arithmetic_penalty", field<&S::fp_arithmetic_penalty>, 5, 64, "cycles",
     "FP arithmetic trap, in addition to the latency"},
    {"core.decode_penalty", field<&S::decode_penalty>, 5, 64, "cycles", "reserved opcode, FP disabled"},
    {"core.integer_retire", field<&S::integer_retire>, 4, 64, "cycles", "fetch to retirement, integer and FP branch"},
    {"core.memory_retire", field<&S::memory_retire>, 4, 64, "cycles", "fetch to retirement, loads and stores"},
    {"core.jump_retire", field<&S::jump_retire>, 4, 64, "cycles", "fetch to retirement, jumps and subroutine calls"},
    {"core.fp_retire", field<&S::fp_retire>, 4, 64, "cycles", "fetch to retirement less latency, FP operates"},
    {"core.four_levels", field<&S::four_levels>, 0, 1, "", "page tables have four levels, else three"},
};

}  // namespace

std::span<const Field<OutOfOrderSettings>> settings_fields() { return fields; }

OutOfOrderSettings::OutOfOrderSettings(Chip chip, const models::Parameters& given) {
  models::read_parameters(*this, rows_of(settings_fields(), chip), given);
  if (!std::has_single_bit(store_wait_entries)) {
    throw models::ParameterError("alpha core: core.store_wait_entries must be a power of two");
  }
  if (register_reserve > std::min(integer_registers, fp_registers)) {
    throw models::ParameterError(
        "alpha core: core.register_reserve must be at most core.integer_registers and core.fp_registers");
  }
  if (retire_burst < retire_width) {
    throw models::ParameterError("alpha core: core.retire_burst must be at least core.retire_width");
  }
}

}  // namespace pmusim::core::alpha::out_of_order
