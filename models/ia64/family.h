// The definition of one family of IA-64 performance monitors: its registers, events and rules. The monitor (monitor.h)
// is common to all; a family's folder fills in this structure.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/ia64/branch_ring.h"
#include "models/ia64/events.h"
#include "models/ia64/registers.h"
#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

struct Behaviour;

inline constexpr unsigned first_counter = 4;  ///< PMC4/PMD4
inline constexpr unsigned most_counters = 12;
inline constexpr unsigned most_threads = 2;
inline constexpr unsigned breakpoints = 8;  ///< IBR0-7, DBR0-7
inline constexpr unsigned pmv = 73;         ///< control register number

/// Configuration registers by number; those that do not exist stay 0.
using PmcFile = std::array<std::uint64_t, 43>;

/// PMCs `first` to `first` + `count` - 1: their value after reset, and the mask of writable bits.
struct PmcRange {
  std::uint8_t first, count;
  std::uint64_t reset, writable;
};

/// The content of a PMD.
enum class PmdRole : std::uint8_t {
  counter,
  fetch_address,
  fetch_latency,  ///< of the instruction EAR
  data_address,
  data_latency,
  data_instruction,  ///< of the data EAR
  ring_entry,
  ring_index,
  ring_flags
};
/// PMDs `first` to `first` + `count` - 1.
struct PmdRange {
  std::uint8_t first, count;
  PmdRole role;
};

/// Numbers of the configuration registers whose fields have the same positions in every family.
struct ConfigurationNumbers {
  std::uint8_t fetch_ear, data_ear, branch_ring, data_ranges, code_ranges, opcode_routing;
  std::uint8_t ip_ear = 0;  ///< 0: none
};

/// The event and filters of a counter.
struct Selected {
  unsigned code = 0;
  unsigned umask = 0;
  const Event* event = nullptr;  ///< null: none
};

/// Only one of the events whose codes are `alike` can count at a time: that of the lowest counter with such an event.
/// True if the event of counter i is alike, but is not this one.
[[nodiscard]] bool yields(std::span<const Selected> counters, unsigned i, bool (*alike)(unsigned code));

struct Family {
  unsigned counters;
  unsigned threads;  ///< hardware threads of a core; with one the owner of an occurrence does not matter
  std::span<const PmcRange> pmcs;
  std::span<const PmdRange> pmds;
  ConfigurationNumbers numbers;
  RingLayout ring;
  unsigned page_bits, granule_bits;  ///< of fine code ranges
  bool has_enable;                   ///< PMC4.enable must be 1
  bool has_ia32;                     ///< the ism fields exist
  bool has_thread_fields;            ///< PMC4-15 have the `all` bit and the line states
  std::span<const Event> events;

  /// Sets matchers, channel0_ignored and inverted.
  void (*decode_matchers)(const PmcFile&, TagRegisters&);
  /// Applies the rules that depend on several counters. Called after the events were looked up by code and unit mask.
  void (*settle)(std::span<const Event>, const Behaviour&, std::span<Selected>);
  /// True if counter `i` must not have its event, given the events of the other counters.
  bool (*breaks_rules)(std::span<const Selected>, unsigned i);
};

}  // namespace pmusim::pmu::ia64
