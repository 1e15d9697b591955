// What the documents leave open, as values that the monitor looks at. Names and meaning: parameters.cpp.
#pragma once

#include "models/common/parameters.h"
#include "models/ia64/data_ear.h"
#include "models/ia64/events.h"
#include "models/ia64/family.h"
#include "models/ia64/fetch_ear.h"
#include "models/ia64/ip_ear.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::ia64 {

/// The behaviours that no document settles, for monitors of cores with this many threads: 1 Itanium 2, 2 Montecito.
[[nodiscard]] models::Parameters pmu_parameters(unsigned threads);

struct Behaviour {
  /// `parameters` must have all of pmu_parameters(threads).
  Behaviour(const models::Parameters& parameters, unsigned threads);

  bool overflow_needs_oi;  ///< a wrap with oi = 0 leaves its overflow bit alone
  Cycle freeze_delay;
  Cycle interrupt_latency;
  unsigned pmv_mask_bit;
  bool stores_reserved;        ///< PMC bits outside the write mask are stored
  bool filters_counters_only;  ///< only the counters are hidden by the pm bit
  bool enforces_sets;          ///< the rules of counters and sets
  bool adds_to_written;        ///< a counter's increment in the cycle of a write is added to what is written; else lost
  bool controls_at_once;       ///< other registers that are written govern the cycle of the write; else the next
  bool pmc0_raises;            ///< an overflow bit that software sets raises the interrupt
  bool unlisted_is_zero;       ///< unit masks that an event does not have count as 0; else nothing
  bool alat_mode_3;            ///< D-EAR mode 3 as mode 2; else nothing
  bool shares_umask = false;   ///< Itanium 2
  // Montecito
  unsigned thread = 0;                 ///< whose registers they are
  bool no_line_state_counts = false;   ///< M = E = S = I = 0 as all four; else nothing
  bool floats_in_background = true;    ///< floating occurrences of the thread while it is in the background
  bool self_floats_for_both = false;   ///< self-floating events for both threads as floating; else as causal
  bool interrupts_any_thread = false;  ///< the active thread takes the interrupt; else it waits for its own
  bool gated_by_own_thread = false;    ///< with all = 1 the own thread's mode opens the gate; else that of whose it is
  bool ears_follow_in_background = true;  ///< else EARs forget what they follow when the thread leaves
  bool shared_code_by_set = true;         ///< code BCh is one event or the other by its set; else always the same one

  TagChoices tags;
  EventChoices events;
  DataEarSetup data_ear;  ///< choices; the rest comes from the configuration register
  FetchEarSetup fetch_ear;
  BranchRingSetup branch_ring;
  IpEarSetup ip_ear;
};

}  // namespace pmusim::pmu::ia64
