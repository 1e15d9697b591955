// Decodes the registers of an IA-64 PMU: the events that count, and the users of each channel.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "testbench/targets/ia64/equivalence.h"
#include "testbench/targets/ia64/equivalence_registers.h"

namespace pmusim::testbench::faults::ia64 {

[[nodiscard]] std::uint64_t value_of(Programmed& registers, const Bits& bits);
[[nodiscard]] bool is_set(Programmed& registers, const Bits& bits);
void set(Programmed& registers, const Bits& bits, std::uint64_t value);

/// A breakpoint register of pair `k`, if the answers contain it: the address, or the mask with its levels.
[[nodiscard]] std::uint64_t* breakpoint_of(Programmed& registers, std::string_view kind, unsigned k, bool is_mask);

// --- events -----------------------------------------------------------------------------------------------------

struct Event {
  const EventFacts* facts = nullptr;  ///< null: no event has this code
  [[nodiscard]] bool exists() const { return facts != nullptr; }
  [[nodiscard]] Filters filters() const { return exists() ? facts->filters : facts::unfiltered; }
  /// The limit of occurrences in a cycle.
  [[nodiscard]] unsigned most() const { return exists() ? facts->occurs.most() : 0; }
  [[nodiscard]] bool all_or_none() const { return exists() && facts->occurs.all_or_none(); }
};

/// The event that a counter's register selects.
[[nodiscard]] const Event& event_of(const Layout& layout, std::uint64_t counter);
[[nodiscard]] inline bool counts(std::uint64_t counter) { return counter::levels.of(counter) != 0; }
/// Clears the fields of a counter that counts nothing; bits with another function remain.
void stop(const Layout& layout, Programmed& registers, std::string_view counter);
/// Clears the enable bit if no counter or unit is on.
void drop_enable(const Layout& layout, Programmed& registers);

/// Code of IA64_INST_RETIRED and similar events.
inline constexpr std::uint64_t retired = 0x08;
inline constexpr std::uint64_t l3_reads = 0xdd, l3_writes = 0xde;

// --- channels ---------------------------------------------------------------------------------------------------

/// Levels at which a channel's address and opcode, and the data channels, are used.
struct Watched {
  std::array<std::uint64_t, channels> code{}, opcode{};
  std::uint64_t data = 0, data_opcode = 0;
  bool breakpoints = false;
};
[[nodiscard]] Watched watched(const Layout& layout, Programmed& registers);
/// Adds the tags that memory events use through the data channels.
void add_tags_of_data(Watched& watched, std::uint64_t config);

[[nodiscard]] bool range_on(const Layout& layout, Programmed& registers, unsigned channel);
[[nodiscard]] bool has_opcode(const Layout& layout, Programmed& registers, unsigned channel);
/// True for a channel without a range and without an opcode.
[[nodiscard]] bool is_free(const Layout& layout, Programmed& registers, unsigned channel);

[[nodiscard]] inline std::uint64_t rule_of(std::uint64_t config, unsigned k) { return data_ranges::rule[k].of(config); }
[[nodiscard]] inline bool is_enabled(std::uint64_t config, unsigned k) {
  return data_ranges::enable[k].of(config) != 0;
}
[[nodiscard]] inline bool any_enabled(std::uint64_t config) { return data_ranges::enables.of(config) != 0; }

}  // namespace pmusim::testbench::faults::ia64
