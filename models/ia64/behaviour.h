// The behaviours that the documents do not specify, as settings of the monitor. parameters.cpp has their names and
// meanings.
#pragma once

#include "models/common/parameters.h"
#include "models/ia64/ears.h"
#include "models/ia64/events.h"
#include "models/ia64/family.h"
#include "models/ia64/ip_ear.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::ia64 {

/// Parameters for the behaviours that no document specifies. `threads`: hardware threads of the core: 1 Itanium 2, 2
/// Montecito.
[[nodiscard]] models::Parameters pmu_parameters(unsigned threads);

struct Behaviour {
  /// `parameters` must have all of pmu_parameters(threads).
  Behaviour(const models::Parameters& parameters, unsigned threads);

  bool overflow_needs_oi;  ///< a wrap with oi = 0 does not set the overflow bit
  Cycle freeze_delay;
  Cycle interrupt_latency;
  unsigned pmv_mask_bit;
  bool stores_reserved;        ///< PMC bits outside the write mask are stored
  bool filters_counters_only;  ///< the pm bit hides the counters only
  bool enforces_sets;          ///< events that violate the rules of counters and sets count nothing
  bool controls_at_once;       ///< writes to other registers take effect in the cycle of the write; else in the next
  bool pmc0_raises;            ///< an overflow bit set by software requests the interrupt
  bool alat_mode_3;            ///< D-EAR mode 3 is mode 2; else it captures nothing
  bool shares_umask = false;   ///< Itanium 2: L2 events outside sets 1 and 2 use the unit mask of PMC4
  // Montecito
  unsigned thread = 0;                    ///< hardware thread of the registers
  bool floats_in_background = true;       ///< floating events count while the thread is in the background
  bool self_floats_for_both = false;      ///< with all = 1 self-floating events count as floating; else as causal
  bool ears_follow_in_background = true;  ///< else EARs drop what they track when the thread leaves
  bool shared_code_by_set = true;         ///< code BCh selects one of two events by the set; else always the same one

  TagChoices tags;
  EventChoices events;
  DataEarSetup data_ear;  ///< choices only; the configuration register determines the other fields
  FetchEarSetup fetch_ear;
  BranchRingSetup branch_ring;
  IpEarSetup ip_ear;
};

}  // namespace pmusim::pmu::ia64
