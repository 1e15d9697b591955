// The choices, where no document settles a behaviour, that change a count. Their names and numbers are those in
// docs/generated.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

struct Choices {
  // 750GX, 750GL
  bool time_base_reversed = false;         ///< pmu.tb_select=reversed
  bool threshold_reached_counts = false;   ///< pmu.threshold_compare=greater_equal
  bool threshold_any_position = false;     ///< pmu.threshold_queue=any
  bool threshold_all_accesses = false;     ///< pmu.threshold_untracked=counted
  bool mispredicts_reserved = false;       ///< pmu.pmc4_8=holds
  bool breakpoint_everywhere = false;      ///< pmu.iabr_translation=ignored
  bool latency_from_allocation = false;    ///< pmu.threshold_start=allocation
  bool l2_lookups_all = false;             ///< pmu.pmc1_7=lookups
  bool cache_operations_too = false;       ///< pmu.pmc2_11=cache_operations
  bool fetch_misses_on_13 = false;         ///< pmu.pmc1_13=fetch_misses
  bool data_misses_on_31 = false;          ///< pmu.pmc4_31=data_misses
  bool level_toggles_on_9 = false;         ///< pmu.pmc2_9=pr_toggles
  bool marked_toggles_user = false;        ///< pmu.pmc3_9=pm_toggles
  bool marked_toggles_supervisor = false;  ///< pmu.pmc4_9=pm_toggles
  bool pending_misses_too = false;         ///< pmu.pmc3_5=pending
  bool taken_when_predicted = false;       ///< pmu.pmc3_8=predicted
  bool fetch_miss_cycles = false;          ///< pmu.pmc2_15=cycles
  bool words_of_multiples = false;         ///< pmu.pmc2_11_multiple=words
  bool latency_to_line = false;            ///< pmu.threshold_end=line
  bool reserved_are_cycles = false;        ///< pmu.reserved_code=cycles
  // Athlon
  bool invert_alone = false;            ///< pmu.inv_without_mask=inverts
  bool privilege_first = false;         ///< pmu.privilege_gate=before_compare
  bool edge_before_gate = false;        ///< pmu.edge_input=ungated
  bool counts_in_halt = false;          ///< pmu.count_in_halt=runs
  bool pin_control_stops = false;       ///< pmu.counting_with_pc=only_clear
  bool refill_bit0_nothing = false;     ///< pmu.refill_mask_bit0=nothing
  bool evict_dirty_only = false;        ///< pmu.evict_scope=dirty
  bool branches_with_traps = true;      ///< pmu.branches_with_traps
  bool far_with_traps = true;           ///< pmu.far_with_traps
  bool instructions_with_traps = true;  ///< pmu.instructions_with_traps
  bool edge_adds_events = false;        ///< pmu.edge_amount=events
  bool far_mispredicted = false;        ///< pmu.far_mispredicted=yes
  bool stalls_added = false;            ///< pmu.dispatch_stalls=sum
  bool three_at_most = false;           ///< pmu.increment_limit=three
  bool wrong_path_left_out = false;     ///< pmu.wrong_path=left_out
  bool snoop_resyncs_left_out = false;  ///< pmu.snoop_resyncs=left_out
  bool operations_retire = false;       ///< pmu.retired_unit=operations
  /// pmu.real_privilege, pmu.v86_privilege, pmu.smm_privilege: 0 OS, 1 USR, 2 neither; by activity::OperatingMode
  std::array<std::int64_t, 4> level_of_mode{0, 0, 1, 0};
  // Itanium 2
  bool overcounts_syllables = false;   ///< pmu.syllable_overcount=both_stops
  bool unknown_left_out = false;       ///< pmu.unknown_prediction=nothing
  bool uncapped = false;               ///< pmu.increment_limit=none
  bool lfetch_is_reference = false;    ///< pmu.lfetch_reference=counted
  bool replayed_misses = false;        ///< pmu.replayed_misses=counted
  bool prefetch_hits = false;          ///< pmu.fetch_hits=all
  bool ia32_left_out = false;          ///< pmu.ia32_retirement=left_out
  bool walker_loads_left_out = false;  ///< pmu.walker_loads=left_out
  bool line_reads_only = false;        ///< pmu.bus_reads=read_line
  bool any_queue_cancel = false;       ///< pmu.ozq_cancels_any=all
  bool fine_uses_mask = false;         ///< pmu.fine_mask=register
  bool fine_union = false;             ///< pmu.fine_union=both
  bool every_range_inverted = false;   ///< pmu.inv_scope=all
  bool data_channels_and = false;      ///< pmu.data_channels=all
  bool semaphores_tracked = false;     ///< pmu.dear_candidates=reads
  bool data_ear_random = false;        ///< pmu.dear_random=lfsr
  bool hazard_is_valid = false;        ///< pmu.dear_hazard=valid
  bool check_clears_address = false;   ///< pmu.dear_chk_a=zero
  bool all_types_record_none = false;  ///< pmu.btb_type0=none
  bool every_target_written = false;   ///< pmu.btb_target=written
  bool rfi_left_out = false;           ///< pmu.btb_rfi=ignored
  bool first_untaken_branch = false;   ///< pmu.btb_choice=first
  bool nops_all = false;               ///< pmu.nop_predicate=any
  bool long_is_two = false;            ///< pmu.long_instruction=two
  // Montecito: the choices of the Itanium 2, and
  std::uint32_t thread = 0;               ///< pmu.thread, the thread of the monitor
  bool whole_opcodes = false;             ///< not a choice: matchers compare all bits of a syllable
  bool background_left_out = false;       ///< pmu.floating_background=left_out
  bool self_floating_all_floats = false;  ///< pmu.self_floating_all=floating
  bool forgets_in_background = false;     ///< pmu.ear_background=forgotten
  bool awaited_cycles = false;            ///< pmu.qualified_cycles=awaited
  bool halted_sevenfold = false;          ///< pmu.halted_cycles=seven
  bool traces_bundles = false;            ///< pmu.ipear_entry=bundle
  bool traces_distance = false;           ///< pmu.ipear_cycles=distance
  // Alpha
  std::uint32_t long_stall = 15;            ///< pmu.long_stall, cycles
  bool user_is_user = false;                ///< pmu.os_user_mode=user
  bool addresses_do_not_operate = false;    ///< pmu.integer_operate=operates
  bool external_pin_counts = false;         ///< pmu.pca56_external=counted
  bool system_misses_alone = false;         ///< pmu.sys_read_flush=misses
  bool counts_retired_mispredicts = false;  ///< pmu.ret_mispredicts=retired
  bool marks_ignored = false;               ///< pmu.selective_counting=system
  bool traps_apart = false;                 ///< pmu.trap_cycles=neither
  std::uint32_t pin_clock = 1;              ///< pmu.pin_clock, cycles
  bool dtb_misses_of_loads = false;         ///< pmu.dtb_miss=loads
  bool halves_dropped = false;              ///< pmu.half_counts=dropped; and pmu.increment_limit, as above
};

/// A parameter, and the choice that it selects if it is not 0, or the number that it is.
struct ChoiceRow {
  std::string_view parameter;
  bool Choices::*choice;
  std::uint32_t Choices::*number = nullptr;
};
/// Reads the choices in these tables by parameter name; with an empty lookup all have their defaults.
[[nodiscard]] Choices read_choices(std::initializer_list<std::span<const ChoiceRow>> tables,
                                   const ParameterLookup& parameters);
/// The same for a family with these tables.
template <const auto&... tables>
Choices choices_of(const ParameterLookup& parameters) {
  return read_choices({tables...}, parameters);
}

}  // namespace pmusim::oracle
