// The structure of the IA-64 event tables: families of events that share a code, each with its variants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

/// The unit that an event needs in addition to its counter.
enum class EventKind : std::uint8_t {
  counter,            ///< none
  branch_buffer,      ///< BTB or ETB
  instruction_tlb,    ///< I-EAR in TLB mode
  instruction_cache,  ///< I-EAR in cache mode
  data_tlb,           ///< D-EAR in TLB mode
  data_cache,         ///< D-EAR in cache mode
  data_alat,          ///< D-EAR in ALAT mode
};

/// The thread of a core to which an event belongs.
enum class ThreadType : std::uint8_t {
  none,           ///< the core has one thread
  active,         ///< it occurs in the active thread
  floating,       ///< it occurs for its own thread, which may be inactive at that time
  causal,         ///< it belongs to no thread
  self_floating,  ///< floating on counters that count their own thread only, causal on counters that count all threads
};
[[nodiscard]] std::string_view name_of(ThreadType type);

/// Filters that apply to an event, as bits.
enum Filter : std::uint8_t { kNothing = 0, kCode = 1, kOpcode = 2, kData = 4 };

inline constexpr int kNoSet = -1;
/// The group of an event and its set in the group. The sets of a group share wires: only a limited number of them can
/// be counted in one run.
struct Wires {
  std::uint8_t group = 0;  ///< 0: none
  int set = kNoSet;
};

struct Variant {
  std::string_view suffix;  ///< follows the family's name and '_'; may be empty
  std::uint16_t umask = 0;
  std::string_view words;      ///< follows the family's description
  std::uint32_t counters = 0;  ///< one bit for each counter; 0: the counters of the family
};

/// The variants of the events of a family: those of one list, or all combinations of two lists. In a combination the
/// suffixes and the words follow one another and the unit masks are combined by OR.
struct Variants {
  constexpr Variants() = default;
  template <std::size_t size>
  constexpr Variants(const Variant (&list)[size]) : first(list) {}
  template <std::size_t size, std::size_t other_size>
  constexpr Variants(const Variant (&list)[size], const Variant (&other)[other_size]) : first(list), second(other) {}

  std::span<const Variant> first;
  std::span<const Variant> second;
  bool any = false;  ///< see any_of()
};

/// The first of the list, which is all the others together, and the others one by one and in each combination, by name:
/// `FE_OR_MLX`, "front end or long immediate".
template <std::size_t size>
[[nodiscard]] constexpr Variants any_of(const Variant (&list)[size]) {
  Variants variants(list);
  variants.any = true;
  return variants;
}

struct Family {
  std::string_view name;
  std::uint8_t code = 0;
  unsigned max_per_cycle = 1;
  std::uint8_t filters = kNothing;
  Wires wires;
  std::string_view description;
  Variants variants;
  EventKind kind = EventKind::counter;
  bool joined = false;         ///< suffixes follow without '_'
  std::uint32_t counters = 0;  ///< one bit for each counter; 0: all counters
  ThreadType thread = ThreadType::none;
  bool line_states = false;  ///< occurrences can be filtered by the state of their cache line
};

/// One event of the table.
struct Row {
  std::string name;
  std::uint8_t code = 0;
  std::uint16_t umask = 0;  ///< unit mask of the counter, or of the EAR for EAR events
  EventKind kind = EventKind::counter;
  std::uint32_t counters = 0;
  unsigned max_per_cycle = 1;
  std::uint8_t filters = kNothing;
  Wires wires;
  std::string description;
  ThreadType thread = ThreadType::none;
  bool line_states = false;

  [[nodiscard]] bool is_data_ear() const { return kind >= EventKind::data_tlb; }
  [[nodiscard]] bool is_instruction_ear() const {
    return kind == EventKind::instruction_tlb || kind == EventKind::instruction_cache;
  }
  [[nodiscard]] bool is_ear() const { return is_data_ear() || is_instruction_ear(); }
  /// The unit mask in the control register of the counter.
  [[nodiscard]] std::uint32_t counter_umask() const { return is_ear() ? 0 : umask & 0xf; }
  /// The mode and unit mask of the EAR, different for each EAR event; 0 for all other events.
  [[nodiscard]] std::uint32_t companion() const {
    return is_ear() ? static_cast<std::uint32_t>(kind) << 16 | umask : 0;
  }
};

/// The rows of the families in order. `counters` apply to families and variants that specify none.
[[nodiscard]] std::vector<Row> rows_of(std::span<const Family> families, std::uint32_t counters);

/// The states of a cache line; bit n of a filter passes line_state_masks()[n].
[[nodiscard]] std::span<const UnitMask> line_state_masks();

/// Converts the rows to the engine's events. A row with the code and mask of an earlier row gets the latter's name as
/// `same_as`. `groups` are the names of the groups in Wires.
[[nodiscard]] std::vector<Event> events_of(const std::vector<Row>& rows, std::string_view source,
                                           std::span<const std::string_view> groups);

}  // namespace pmusim::encoder::ia64
