// Behaviours that the documents leave open, as values that the monitor reads. parameters.cpp has their names and
// meanings.
#pragma once

#include <array>
#include <cstdint>

#include "models/athlon/registers.h"
#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::athlon {

struct Behaviour {
  explicit Behaviour(const models::Parameters& parameters);
  /// The bit of PerfEvtSel, USR or OS, that enables counting at this CPL in this OperatingMode; 0: nothing counts.
  [[nodiscard]] std::uint32_t level_of(std::uint64_t cpl, std::uint64_t mode) const {
    if (mode != 0) return mode_levels[mode % mode_levels.size()];
    return cpl == 0 ? select::os : select::usr;
  }

  bool bit21_kept;
  bool unknown_msr_reads_zero;
  bool counter_write_faults;
  bool counter_read_sign_extends;
  bool keep_at_reset;
  bool invert_without_mask;
  bool privilege_before_compare;
  bool edge_ungated;
  bool counts_in_halt;
  bool enable_from_selector0;
  bool has_apic;
  bool mask_after_delivery;
  Cycle skid;
  bool pin_control_p6;
  bool pin_extends;
  bool counts_only_without_pin_control;
  bool refill_bit0_counts;
  bool evicts_clean;
  bool branches_with_traps;
  bool far_with_traps;
  bool instructions_with_traps;
  bool tsc_stops_in_halt;
  bool select_writes_at_once;
  bool reads_own_clock;
  bool rdpmc_index_masked;
  bool edge_adds_n;
  bool low_vectors_delivered;
  bool undefined_event_counts_clocks;
  bool three_at_most;
  Cycle request_delay;
  /// Indexed by OperatingMode: USR, OS or neither. The entry of protected mode is not used.
  std::array<std::uint32_t, 4> mode_levels{select::os, 0, 0, 0};
  // lines of the multiplexer
  bool far_mispredicted;
  bool any_path;
  bool snoop_resyncs;
  bool stalls_once;
  bool macro_operations;
};

}  // namespace pmusim::pmu::athlon
