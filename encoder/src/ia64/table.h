// The shape of the IA-64 event tables: families of events that share a code, each with its variants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

/// What an event needs besides its counter.
enum class Kind : std::uint8_t {
  counter,            ///< nothing
  branch_buffer,      ///< BTB or ETB
  instruction_tlb,    ///< I-EAR in TLB mode
  instruction_cache,  ///< I-EAR in cache mode
  data_tlb,           ///< D-EAR in TLB mode
  data_cache,         ///< D-EAR in cache mode
  data_alat,          ///< D-EAR in ALAT mode
};

/// To which thread of a core an event belongs.
enum class ThreadType : std::uint8_t {
  none,           ///< the core has one thread
  active,         ///< it happens to the thread that runs
  floating,       ///< it happens to its own thread, which may have stopped running meanwhile
  causal,         ///< it belongs to no thread
  self_floating,  ///< floating where a counter takes its own thread's events only, causal where it takes all
};
[[nodiscard]] std::string_view name_of(ThreadType type);

/// Filters that the event honours, and the event sets that share wires.
enum Honours : std::uint8_t { kNothing = 0, kCode = 1, kOpcode = 2, kData = 4 };

inline constexpr int kNoSet = -1;
/// Group of events that share wires and the set in it.
struct Wires {
  std::uint8_t group = 0;  ///< 0: none
  int set = kNoSet;
};

struct Variant {
  std::string_view suffix;  ///< after the family's name and '_'; may be empty
  std::uint16_t umask = 0;
  std::string_view words;      ///< after the family's description
  std::uint32_t counters = 0;  ///< bit per counter; 0: those of the family
};

/// What the events of a family tell apart: the variants of one list, or each of them with each of a second: suffixes
/// and words one after the other, and the bits of both unit masks.
struct Variants {
  constexpr Variants() = default;
  template <std::size_t size>
  constexpr Variants(const Variant (&list)[size]) : first(list) {}
  template <std::size_t size, std::size_t other_size>
  constexpr Variants(const Variant (&list)[size], const Variant (&other)[other_size]) : first(list), second(other) {}

  std::span<const Variant> first;
  std::span<const Variant> second;
};

struct Family {
  std::string_view name;
  std::uint8_t code = 0;
  unsigned max_per_cycle = 1;
  std::uint8_t honours = kNothing;
  Wires wires;
  std::string_view description;
  Variants variants;
  Kind kind = Kind::counter;
  bool joined = false;         ///< suffixes follow without '_'
  std::uint32_t counters = 0;  ///< bit per counter; 0: every counter
  ThreadType thread = ThreadType::none;
  bool line_states = false;  ///< each occurrence has the state of a cache line, by which it can be filtered
};

/// One event of the table.
struct Row {
  std::string name;
  std::uint8_t code = 0;
  std::uint16_t umask = 0;  ///< of the counter; for EAR events of the EAR
  Kind kind = Kind::counter;
  std::uint32_t counters = 0;
  unsigned max_per_cycle = 1;
  std::uint8_t honours = kNothing;
  Wires wires;
  std::string description;
  ThreadType thread = ThreadType::none;
  bool line_states = false;

  [[nodiscard]] bool is_data_ear() const { return kind >= Kind::data_tlb; }
  [[nodiscard]] bool is_instruction_ear() const {
    return kind == Kind::instruction_tlb || kind == Kind::instruction_cache;
  }
  [[nodiscard]] bool is_ear() const { return is_data_ear() || is_instruction_ear(); }
  /// The unit mask that the counter's control register gets.
  [[nodiscard]] std::uint32_t counter_umask() const { return is_ear() ? 0 : umask & 0xf; }
  /// The mode and unit mask of the EAR, apart for each EAR event; 0 for all others.
  [[nodiscard]] std::uint32_t companion() const {
    return is_ear() ? static_cast<std::uint32_t>(kind) << 16 | umask : 0;
  }
};

/// The rows of the families in order; `counters` are those of families and variants that name none.
[[nodiscard]] std::vector<Row> rows_of(std::span<const Family> families, std::uint32_t counters);

/// States of a cache line; bit n of a filter lets line_state_masks()[n] pass.
[[nodiscard]] std::span<const UnitMask> line_state_masks();

/// The rows as the engine sees them. A row with the code and mask of an earlier one names it as `same_as`. `groups` are
/// the names of the groups that share wires.
[[nodiscard]] std::vector<Event> events_of(const std::vector<Row>& rows, std::string_view source,
                                           std::span<const std::string_view> groups);

}  // namespace pmusim::encoder::ia64
