#include "testbench/oracle/choices.h"

#include <initializer_list>
#include <span>

#include "models/activity/signals.h"

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
    {"pmu.dispatch_folded", &Choices::folded_are_dispatched},
    {"pmu.iabr_be", &Choices::breakpoint_needs_enable},
    {"pmu.iabr_translation", &Choices::breakpoint_everywhere},
    {"pmu.threshold_start", &Choices::latency_from_allocation},
    {"pmu.pmc1_7", &Choices::l2_lookups_all},
    {"pmu.pmc2_11", &Choices::cache_operations_too},
    {"pmu.pmc1_13", &Choices::fetch_misses_on_13},
    {"pmu.pmc4_31", &Choices::data_misses_on_31},
    {"pmu.pmc2_9", &Choices::level_toggles_on_9},
    {"pmu.pmc3_9", &Choices::marked_toggles_user},
    {"pmu.pmc4_9", &Choices::marked_toggles_supervisor},
    {"pmu.pmc3_5", &Choices::pending_misses_too},
    {"pmu.pmc3_8", &Choices::taken_when_predicted},
    {"pmu.pmc2_15", &Choices::fetch_miss_cycles},
    {"pmu.pmc2_11_multiple", &Choices::words_of_multiples},
    {"pmu.threshold_end", &Choices::latency_to_line},
    {"pmu.reserved_code", &Choices::reserved_are_cycles},
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
    {"pmu.edge_amount", &Choices::edge_adds_events},
    {"pmu.cycle_privilege", &Choices::units_charged_to_new},
    {"pmu.split_access", &Choices::split_is_one},
    {"pmu.prefetch_access", &Choices::prefetches_left_out},
    {"pmu.pending_probe", &Choices::pending_is_miss},
    {"pmu.misaligned_scope", &Choices::misaligned_by_size},
    {"pmu.far_mispredicted", &Choices::far_mispredicted},
    {"pmu.taken_to_next", &Choices::taken_to_next_left_out},
    {"pmu.dispatch_stalls", &Choices::stalls_added},
    {"pmu.increment_limit", &Choices::three_at_most},
    {"pmu.wrong_path", &Choices::wrong_path_left_out},
    {"pmu.snoop_resyncs", &Choices::snoop_resyncs_left_out},
    {"pmu.indirect_returns", &Choices::returns_are_indirect},
    {"pmu.request_privilege", &Choices::charged_to_request},
    {"pmu.update_probes", &Choices::update_is_one},
    {"pmu.retired_unit", &Choices::operations_retire},
    {"pmu.string_iterations", &Choices::each_iteration},
    {"pmu.decoder_empty", &Choices::empty_despite_causes},
};

constexpr Row ia64_rows[] = {
    {"pmu.syllable_overcount", &Choices::overcounts_syllables},
    {"pmu.unknown_prediction", &Choices::unknown_left_out},
    {"pmu.increment_limit", &Choices::uncapped},
    {"pmu.lfetch_reference", &Choices::lfetch_is_reference},
    {"pmu.replayed_misses", &Choices::replayed_misses},
    {"pmu.fetch_hits", &Choices::prefetch_hits},
    {"pmu.walker_loads", &Choices::walker_loads_left_out},
    {"pmu.bus_reads", &Choices::line_reads_only},
    {"pmu.ozq_cancels_any", &Choices::any_queue_cancel},
    {"pmu.x_slot", &Choices::long_slot_matches_nothing},
    {"pmu.ibr_match", &Choices::ranges_need_db},
    {"pmu.fine_mask", &Choices::fine_uses_mask},
    {"pmu.fine_union", &Choices::fine_union},
    {"pmu.fine_upper", &Choices::fine_upper_free},
    {"pmu.inv_scope", &Choices::every_range_inverted},
    {"pmu.data_channels", &Choices::data_channels_and},
    {"pmu.data_extent", &Choices::any_byte_of_data},
    {"pmu.dear_candidates", &Choices::semaphores_tracked},
    {"pmu.dear_wrong_path", &Choices::wrong_path_tracked},
    {"pmu.dear_random", &Choices::data_ear_random},
    {"pmu.dear_latency", &Choices::latency_of_last_pass},
    {"pmu.dear_hazard", &Choices::hazard_is_valid},
    {"pmu.dear_chk_a", &Choices::check_clears_address},
    {"pmu.iear_squashed", &Choices::squashed_fetch_captured},
    {"pmu.btb_type0", &Choices::all_types_record_none},
    {"pmu.btb_target", &Choices::every_target_written},
    {"pmu.btb_not_taken", &Choices::untaken_branch_target},
    {"pmu.btb_rfi", &Choices::records_rfi},
    {"pmu.btb_choice", &Choices::first_untaken_branch},
    {"pmu.btb_untaken_filter", &Choices::untaken_has_no_target},
    {"pmu.btb_frozen_target", &Choices::frozen_target_lost},
    {"pmu.dear_choice", &Choices::youngest_of_a_cycle},
    {"pmu.nop_predicate", &Choices::nops_all},
    {"pmu.long_instruction", &Choices::long_is_two},
};
constexpr Row itanium2_rows[] = {{"pmu.ia32_retirement", &Choices::ia32_left_out}};
constexpr Row montecito_rows[] = {
    {"pmu.line_states_none", &Choices::no_line_state_is_all},
    {"pmu.floating_background", &Choices::background_left_out},
    {"pmu.self_floating_all", &Choices::self_floating_all_floats},
    {"pmu.all_threads_mode", &Choices::own_mode_for_all},
    {"pmu.ear_background", &Choices::forgets_in_background},
    {"pmu.qualified_cycles", &Choices::awaited_cycles},
    {"pmu.halted_cycles", &Choices::halted_sevenfold},
    {"pmu.ipear_entry", &Choices::traces_bundles},
    {"pmu.ipear_cycles", &Choices::traces_distance},
    {"pmu.ipear_cut", &Choices::trace_never_cut},
    {"pmu.ipear_flush", &Choices::trace_branch_flushes},
};
constexpr Row alpha_in_order_rows[] = {{"pmu.increment_limit", &Choices::uncapped},
                                       {"pmu.trap_cycles", &Choices::traps_apart}};
constexpr Row alpha_ev4_rows[] = {{"pmu.selective_counting", &Choices::marks_ignored},
                                  {"pmu.dcache_probes", &Choices::probes_of_loads},
                                  {"pmu.half_counts", &Choices::halves_dropped}};
constexpr Row alpha_ev5_rows[] = {{"pmu.os_user_mode", &Choices::user_is_user},
                                  {"pmu.dtb_miss", &Choices::dtb_misses_of_loads},
                                  {"pmu.integer_operate", &Choices::addresses_do_not_operate}};
constexpr Row alpha_pca56_rows[] = {{"pmu.pca56_external", &Choices::pca56_has_pin},
                                    {"pmu.sys_read_flush", &Choices::system_misses_alone}};
constexpr Row alpha_ev6_rows[] = {{"pmu.increment_limit", &Choices::uncapped},
                                  {"pmu.ret_mispredicts", &Choices::counts_retired_mispredicts}};

Choices read(std::initializer_list<std::span<const Row>> tables, const ParameterLookup& parameters) {
  Choices choices;
  if (!parameters) return choices;
  for (const auto rows : tables) {
    for (const Row& row : rows) choices.*row.choice = parameters(row.parameter) != 0;
  }
  return choices;
}

}  // namespace

Choices ppc750gx_choices(const ParameterLookup& parameters) { return read({ppc750gx_rows}, parameters); }
Choices athlon_choices(const ParameterLookup& parameters) {
  Choices choices = read({athlon_rows}, parameters);
  if (!parameters) return choices;
  using activity::OperatingMode;
  const auto level = [&](OperatingMode mode) -> std::int64_t& {
    return choices.level_of_mode[static_cast<std::size_t>(mode)];
  };
  level(OperatingMode::real) = parameters("pmu.real_privilege");
  level(OperatingMode::virtual_8086) = parameters("pmu.v86_privilege");
  level(OperatingMode::system_management) = parameters("pmu.smm_privilege");
  return choices;
}
Choices itanium2_choices(const ParameterLookup& parameters) { return read({ia64_rows, itanium2_rows}, parameters); }
Choices montecito_choices(const ParameterLookup& parameters) {
  Choices choices = read({ia64_rows, montecito_rows}, parameters);
  choices.whole_opcodes = true;
  if (parameters) choices.thread = static_cast<unsigned>(parameters("pmu.thread"));
  return choices;
}

namespace {

Choices with_long_stall(Choices choices, const ParameterLookup& parameters) {
  if (parameters) choices.long_stall = static_cast<std::uint32_t>(parameters("pmu.long_stall"));
  return choices;
}

}  // namespace

Choices alpha_ev4_choices(const ParameterLookup& parameters) {
  Choices choices = read({alpha_in_order_rows, alpha_ev4_rows}, parameters);
  if (parameters) choices.pin_clock = static_cast<std::uint32_t>(parameters("pmu.pin_clock"));
  return choices;
}
Choices alpha_ev5_choices(const ParameterLookup& parameters) {
  return with_long_stall(read({alpha_in_order_rows, alpha_ev5_rows}, parameters), parameters);
}
Choices alpha_pca56_choices(const ParameterLookup& parameters) {
  return with_long_stall(read({alpha_in_order_rows, alpha_ev5_rows, alpha_pca56_rows}, parameters), parameters);
}
Choices alpha_ev6_choices(const ParameterLookup& parameters) { return read({alpha_ev6_rows}, parameters); }

}  // namespace pmusim::oracle
