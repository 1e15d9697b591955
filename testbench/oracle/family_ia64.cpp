#include "testbench/oracle/family_ia64.h"

namespace pmusim::oracle {
namespace {

constexpr ChoiceRow ia64_rows[] = {
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
    {"pmu.btb_rfi", &Choices::rfi_left_out},
    {"pmu.btb_choice", &Choices::first_untaken_branch},
    {"pmu.btb_untaken_filter", &Choices::untaken_has_no_target},
    {"pmu.btb_frozen_target", &Choices::frozen_target_lost},
    {"pmu.dear_choice", &Choices::youngest_of_a_cycle},
    {"pmu.nop_predicate", &Choices::nops_all},
    {"pmu.long_instruction", &Choices::long_is_two},
};

}  // namespace

std::span<const ChoiceRow> ia64::choice_rows() { return ia64_rows; }

}  // namespace pmusim::oracle
