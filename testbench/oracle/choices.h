// The choices between behaviours that no document settles, as far as they change a count. Their names and
// numbers are those of docs/parameters-contract.md.
#pragma once

#include <cstdint>
#include <string_view>

#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

struct Choices {
  // 750GX, 750GL
  bool msr_of_next_cycle = false;         ///< pmu.msr_effect=same_cycle
  bool dispatch_correct_path = false;     ///< pmu.dispatch_wrong_path=exclude
  bool time_base_write_no_edge = false;   ///< pmu.tb_write_edge=ignore
  bool time_base_reversed = false;        ///< pmu.tb_select=reversed
  bool threshold_reached_counts = false;  ///< pmu.threshold_compare=greater_equal
  bool threshold_any_position = false;    ///< pmu.threshold_queue=any
  bool threshold_all_accesses = false;    ///< pmu.threshold_untracked=counted
  bool mispredicts_reserved = false;      ///< pmu.pmc4_8=holds
  // Athlon
  bool invert_alone = false;              ///< pmu.inv_without_mask=inverts
  bool privilege_first = false;           ///< pmu.privilege_gate=before_compare
  bool edge_before_gate = false;          ///< pmu.edge_input=ungated
  bool empty_mask_is_all = false;         ///< pmu.empty_mask=all
  bool counts_in_halt = false;            ///< pmu.count_in_halt=runs
  bool retire_charged_to_new = false;     ///< pmu.retire_privilege=new
  bool pin_control_stops = false;         ///< pmu.counting_with_pc=only_clear
  bool refill_bit0_nothing = false;       ///< pmu.refill_mask_bit0=nothing
  bool evict_dirty_only = false;          ///< pmu.evict_scope=dirty
  bool branches_with_traps = true;        ///< pmu.branches_with_traps
  bool only_maskable_interrupts = false;  ///< pmu.interrupts_taken_scope=maskable
  bool far_with_traps = true;             ///< pmu.far_with_traps
  bool instructions_with_traps = true;    ///< pmu.instructions_with_traps
};

/// Reads the choices of one family by parameter name; an empty lookup leaves the defaults.
[[nodiscard]] Choices ppc750gx_choices(const ParameterLookup& parameters);
[[nodiscard]] Choices athlon_choices(const ParameterLookup& parameters);

}  // namespace pmusim::oracle
