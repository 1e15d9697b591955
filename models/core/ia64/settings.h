// Sizes, latencies and choices of an IA-64 core, by field. Each processor's parameters.cpp names them, says what
// each one means and where it is from.
#pragma once

#include <cstdint>

#include "models/common/parameter_rows.h"
#include "models/core/core.h"

namespace pmusim::core::ia64 {

inline constexpr std::int64_t most_buffered = 32;  ///< bundles of the largest instruction buffer

struct Settings {
  using Value = std::uint64_t;
  // front end
  Value wrong_path, instruction_prefetch, buffer_bundles, fetch_to_buffer, branch_queue;
  Value branch_queue_until, front_end_order;
  Value l1i_bytes, l1i_ways, l1i_line, request_buffers, prefetch_addresses, stream_lines, stream_ahead;
  Value l1itlb_entries, l2itlb_entries, l2itlb_latency, fetch_walk;
  Value history_bits, history_entries, history_start, target_entries, return_entries, loop_prediction;
  Value immediate_bubbles, late_target, return_bubbles, indirect_bubbles, multiway_bubbles, loop_bubbles;
  // back end
  Value branch_flush, wrong_path_cycles, interruption_flush, exe_to_retire, serialize_flush, check_flush;
  Value load_use, load_address_extra, load_multimedia_extra, load_setf_extra, cancelled_wait;
  Value integer, multimedia, alu_to_multimedia, from_multimedia_extra, move_multimedia_extra, fp, fp_compare;
  Value shifters, fp_store_extra, fp_getf_extra, getf, setf, from_branch, from_application, from_backing_store,
      to_application;
  Value safety_stall, bank_switch, held_causes, rse_event_frame;
  Value alat_entries, alat_snoops, stacked_registers, engine_width, backing_store;
  // data side
  Value l1d_bytes, l1d_ways, l1d_line, l1dtlb_entries, l2dtlb_entries, l2dtlb_latency, data_walk, page_bytes;
  Value hash_table, hash_entry, load_misses, store_buffer, store_forward, store_overlap;
  // L2, L3
  Value l2_bytes, l2_ways, l2_line, l2_integer, l2_fp, l2_instruction, queue_entries, queue_data, queue_width, l2_ports;
  Value victim_buffers, fill_buffers, l2_banks, semaphore_cycles, fence_cycles;
  Value l3_bytes, l3_ways, l3_extra, l3_busy;
  // bus
  Value bus_numerator, bus_denominator, memory_cycles, request_queue, in_order_queue, bus_line_clocks, snoop_clocks;
  // control registers at the start of a run
  Value psr, dcr, cpl, handler;
  // what interruptions and rum, sum do under a secure monitor
  Value entry_sp, secure_user_mask;

  // processors whose L2 is two caches; 0 bytes: one L2 for all
  Value l2i_bytes, l2i_ways;
  // processors of two threads
  Value switch_cycles, quantum, switch_on_miss, forward_progress, shared_prediction, second_memory;
  Value urgency, switch_on_return, switch_on_fill, switch_on_alat;

  [[nodiscard]] bool split() const { return l2i_bytes != 0; }
};

// Named parameters of IA-64 cores: the rows that all processors have, and Settings from them.

/// The rows of every IA-64 core, with the Itanium 2's defaults.
[[nodiscard]] models::ParameterRows<Settings> common_rows();
/// Fields of the rows from a set of parameters; those missing there have their defaults, fields without a row are 0.
/// Throws ParameterError when they do not fit together.
[[nodiscard]] Settings settings_of(const models::ParameterRows<Settings>& rows, const models::Parameters& parameters);

}  // namespace pmusim::core::ia64
