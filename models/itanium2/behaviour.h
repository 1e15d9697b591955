// What the documents leave open, as values that the monitor looks at. Names and meaning: parameters.cpp.
#pragma once

#include "models/common/parameters.h"
#include "models/ia64/branch_ring.h"
#include "models/ia64/data_ear.h"
#include "models/ia64/events.h"
#include "models/ia64/fetch_ear.h"
#include "models/ia64/tags.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::itanium2 {

struct Behaviour {
  explicit Behaviour(const models::Parameters& parameters);

  bool overflow_needs_oi;  ///< a wrap with oi = 0 leaves its overflow bit alone
  Cycle freeze_delay;
  Cycle interrupt_latency;
  unsigned pmv_mask_bit;
  bool stores_reserved;        ///< PMC bits outside the write mask are stored
  bool filters_counters_only;  ///< only PMD4-7 are hidden by the pm bit
  bool enforces_sets;
  bool shares_umask;
  bool alat_mode_3;  ///< D-EAR mode 3 as mode 2; else nothing

  ia64::TagChoices tags;
  ia64::EventChoices events;
  ia64::DataEarSetup data_ear;        ///< choices; the rest comes from PMC11
  ia64::FetchEarSetup fetch_ear;      ///< ... PMC10
  ia64::BranchRingSetup branch_ring;  ///< ... PMC12
};

}  // namespace pmusim::pmu::itanium2
