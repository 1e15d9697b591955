// Behaviours that the documents leave open, as values that the monitor reads. parameters.cpp has their names and
// meanings.
#pragma once

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::ppc750gx {

enum class EnintClear { at_signal = 0, at_taking = 1, never = 2 };
enum class DiscountScope { trigger = 0, all = 1, pmc1 = 2 };

struct Behaviour {
  explicit Behaviour(const models::Parameters& parameters);

  Fault supervisor_fault;
  bool missing_spr_is_no_op;
  bool mmcr1_keeps_reserved;
  bool keep_at_reset;
  bool tb_select_reversed;
  EnintClear enint_clear;
  DiscountScope discount_scope;
  bool pmcintcontrol_overrides_discount;
  bool trigger_release_remembered;
  bool trigger_self_clear;
  bool trigger_needs_control;
  bool threshold_greater_equal;
  bool threshold_any_position;
  bool threshold_counts_untracked;
  bool sia_at_taking;
  bool sia_older;
  bool pmc4_8_holds;
  bool reads_own_cycle;
  bool discount_sets_dis;
  bool threshold_from_allocation;
  bool iabr_any_translation;
  bool l2_hits_only;
  bool pmc1_13_counts;
  bool pmc2_9_counts;
  bool cache_operations_count;
  bool pmc3_9_counts;
  bool pmc4_9_counts;
  bool pmc4_31_counts;
  bool pending_misses;        ///< pmu.pmc3_5=pending
  bool taken_when_predicted;  ///< pmu.pmc3_8=predicted
  bool fetch_misses_occur;    ///< pmu.pmc2_15=occurrences; otherwise cycles
  bool multiples_once;        ///< pmu.pmc2_11_multiple=once; otherwise words
  bool threshold_to_line;
  bool reserved_codes_count;
};

}  // namespace pmusim::pmu::ppc750gx
