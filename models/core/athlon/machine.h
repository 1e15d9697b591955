// Shared parts of all units of the Athlon core: settings, recorder, clock and agenda, memory map.
#pragma once

#include <cstdint>

#include "models/common/parameters.h"
#include "models/core/parts/agenda.h"
#include "models/core/parts/recorder.h"
#include "models/core/parts/tlb.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::athlon {

// The parameters of the Athlon core, resolved once from their names. parameters.cpp describes each one.

/// How a load and the store that it depends on must overlap.
enum class ForwardMatch : std::uint8_t { bytes, doubleword, page_offset };
enum class ZeroIdioms : std::uint8_t { none, by_xor, all, by_xor_and_sub };

struct Settings {
  explicit Settings(const models::Parameters& given);

  bool wrong_path, in_order_memory, bank_conflicts, instruction_prefetch, walk_in_l2, wrmsr_serializes, split_waits;
  bool drops_redirected_walks, names_standing_causes, multiply_beside_divide, forwards_always, prefetchw_modifies;
  bool wrong_path_data;
  bool has_sse;
  unsigned retire_width, entry_operations;
  unsigned queue_bytes, reorder_lines, station_entries, fp_entries, entry_release, ls1_entries, ls_entries, ports;
  unsigned line_bytes;
  unsigned l1i_bytes, l1i_ways, l1d_bytes, l1d_ways, l2_bytes, l2_ways;
  bool pseudo_lru;
  unsigned itlb_entries, itlb2_entries, itlb2_ways, dtlb_entries, dtlb2_entries, dtlb2_ways;
  unsigned btb_entries, history_bits, history_address_bits, history_start, return_stack_entries;
  unsigned taken_bubble, decode_redirect, mispredict_penalty;
  unsigned load_use, l2_load_use, memory_load_use, itlb2_latency, itlb_walk, dtlb2_latency, dtlb_walk;
  unsigned far_transfer, interrupt_entry, segment_load, locked;
  unsigned lea, double_shift, multiply, multiply_high, multiply_interval, divide;
  unsigned fp_add, fp_multiply, fp_move, fp_cmov, fp_transcendental, mmx_multiply;
  unsigned precision;  ///< 0 to 2: single, double, extended
  unsigned fp_divide_single, fp_divide_double, fp_divide_extended, fp_sqrt_single, fp_sqrt_double, fp_sqrt_extended;
  unsigned fp_divide, fp_sqrt;  ///< at the precision that the parameters give
  unsigned fp_divide_overlap;
  unsigned fp_divide_interval, fp_sqrt_interval;  ///< from one to the next
  ZeroIdioms zero_idioms;
  ForwardMatch forward_match;
  unsigned store_forward, update_forward;
  unsigned data_fills, l2_transfer, write_buffers, write_buffer_age;
  unsigned bus_halves, bus_line_clocks;
  std::uint64_t page_tables, handler;
};

using activity::OperatingMode;

inline constexpr std::uint64_t window_bytes = 16;  ///< of one fetch
inline constexpr std::uint64_t page_bytes = 4096;
inline constexpr unsigned dispatch_width = 3;       ///< macro-operations per clock
inline constexpr unsigned fetch_to_decode = 3;      ///< stages fetch, scan, align 1 before align 2 takes it
inline constexpr unsigned decode_to_dispatch = 2;   ///< early decode, decode
inline constexpr unsigned dispatch_to_execute = 2;  ///< schedule, then execute at the earliest
inline constexpr unsigned front_depth = fetch_to_decode + decode_to_dispatch;
inline constexpr unsigned address_to_probe = 2;  ///< execute (address), transport, cache access

/// Both levels of translation buffers of one side; the first is fully associative.
struct Translations {
  Translations(unsigned entries, unsigned second_entries, unsigned second_ways)
      : first(1, entries), second(second_entries / second_ways, second_ways) {}
  /// The level that has the page, or that has it by the trace; 0: none.
  [[nodiscard]] unsigned level_of(std::uint64_t page, trace::TlbOutcome forced) {
    const unsigned level = first.lookup(page) ? 1 : second.lookup(page) ? 2 : 0;
    if (forced == trace::TlbOutcome::unset) return level;
    return forced == trace::TlbOutcome::hit ? 1 : forced == trace::TlbOutcome::l2 ? 2 : 0;
  }
  void clear() {
    first.clear();
    second.clear();
  }
  Tlb first, second;
};

struct Machine {
  explicit Machine(const models::Parameters& parameters) : settings(parameters) {}
  const Settings settings;
  SelectiveRecorder recorder;
  Agenda agenda;
  MemoryMap map{page_bytes};
};

}  // namespace pmusim::core::athlon
