#include "testbench/oracle/choices.h"

#include <span>

namespace pmusim::oracle {
namespace {

struct Row {
  std::string_view parameter;
  bool Choices::*choice;
};

constexpr Row ppc750gx_rows[] = {
    {"pmu.msr_effect", &Choices::msr_of_next_cycle},
    {"pmu.dispatch_wrong_path", &Choices::dispatch_correct_path},
    {"pmu.tb_write_edge", &Choices::time_base_write_no_edge},
    {"pmu.tb_select", &Choices::time_base_reversed},
    {"pmu.threshold_compare", &Choices::threshold_reached_counts},
    {"pmu.threshold_queue", &Choices::threshold_any_position},
    {"pmu.threshold_untracked", &Choices::threshold_all_accesses},
    {"pmu.pmc4_8", &Choices::mispredicts_reserved},
};

constexpr Row athlon_rows[] = {
    {"pmu.inv_without_mask", &Choices::invert_alone},
    {"pmu.privilege_gate", &Choices::privilege_first},
    {"pmu.edge_input", &Choices::edge_before_gate},
    {"pmu.empty_mask", &Choices::empty_mask_is_all},
    {"pmu.count_in_halt", &Choices::counts_in_halt},
    {"pmu.retire_privilege", &Choices::retire_charged_to_new},
    {"pmu.counting_with_pc", &Choices::pin_control_stops},
    {"pmu.refill_mask_bit0", &Choices::refill_bit0_nothing},
    {"pmu.evict_scope", &Choices::evict_dirty_only},
    {"pmu.branches_with_traps", &Choices::branches_with_traps},
    {"pmu.interrupts_taken_scope", &Choices::only_maskable_interrupts},
    {"pmu.far_with_traps", &Choices::far_with_traps},
    {"pmu.instructions_with_traps", &Choices::instructions_with_traps},
};

Choices read(std::span<const Row> rows, const ParameterLookup& parameters) {
  Choices choices;
  if (!parameters) return choices;
  for (const Row& row : rows) choices.*row.choice = parameters(row.parameter) != 0;
  return choices;
}

}  // namespace

Choices ppc750gx_choices(const ParameterLookup& parameters) { return read(ppc750gx_rows, parameters); }
Choices athlon_choices(const ParameterLookup& parameters) { return read(athlon_rows, parameters); }

}  // namespace pmusim::oracle
