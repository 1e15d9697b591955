// Shared parts of all units of the 750GX core: settings and recorder.
#pragma once

#include "models/activity/activity.h"
#include "models/common/parameters.h"
#include "models/core/parts/recorder.h"

namespace pmusim::core::ppc750 {

// The parameters of the 750GX core, resolved once from their names. parameters.cpp describes each one.

/// How the core handles `ori 0,0,0`.
enum class NoOp : std::uint8_t {
  executed,    ///< as any other integer instruction
  counted,     ///< dispatch discards it; it is counted as dispatched and completed
  not_counted  ///< dispatch discards it like a folded branch
};

struct Settings {
  explicit Settings(const models::Parameters& parameters);

  std::uint64_t msr;
  bool wrong_path;
  unsigned bus_ratio_numerator, bus_ratio_denominator;
  unsigned fetch_width, instruction_queue, completion_queue, load_queue, store_queue;
  unsigned gpr_renames, fpr_renames, lr_renames, ctr_renames;
  unsigned integer_1_stations, integer_2_stations, system_stations, fp_stations, load_store_stations;
  bool btic_enabled;
  unsigned btic_sets, btic_ways;
  bool bht_enabled;
  unsigned bht_entries, bht_initial, bht_index_shift;
  unsigned condition_delay, branch_levels, branch_redirect;
  unsigned extended_latency, multiply_immediate_latency, multiply_latency, multiply_high_latency,
      multiply_high_unsigned_latency, divide_latency, reciprocal_latency, store_update_latency,
      store_conditional_latency, serial_latency;
  unsigned store_multiple_latency;
  bool early_out;
  NoOp no_op;
  bool store_allocates, store_alias;
  unsigned store_alias_wait, store_data;
  unsigned l1i_sets, l1i_ways, l1d_sets, l1d_ways, l1d_misses;
  bool l2_enabled;
  unsigned l2_sets, l2_ways, l2_latency, l2_write_cycles, l2_misses;
  unsigned memory_latency, memory_line_rest;
  unsigned tlb_sets, tlb_ways, walk_l1, walk_l2, walk_memory;
  std::uint64_t page_table;
  unsigned page_table_groups;
  bool snoop_push_retries;
};

struct Machine {
  explicit Machine(const models::Parameters& parameters) : settings(parameters) {}
  const Settings settings;
  SelectiveRecorder recorder;
};

}  // namespace pmusim::core::ppc750
