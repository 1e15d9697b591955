// What the registers of an IA-64 PMU say: which events count, and who looks at which channel.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string_view>

#include "testbench/targets/ia64/equivalence.h"
#include "testbench/targets/ia64/equivalence_registers.h"

namespace pmusim::testbench::mutate::ia64 {

[[nodiscard]] std::uint64_t value_of(Programmed& registers, const Bits& bits);
[[nodiscard]] bool is_set(Programmed& registers, const Bits& bits);
void set(Programmed& registers, const Bits& bits, std::uint64_t value);

/// A breakpoint register of pair `k`, if the answers have it: the address, or the mask with its levels.
[[nodiscard]] std::uint64_t* breakpoint_of(Programmed& registers, std::string_view kind, unsigned k, bool is_mask);

// --- events -----------------------------------------------------------------------------------------------------

struct Event {
  unsigned most = 0;  ///< 0: there is none
  bool by_code = false, by_opcode = false, by_data = false, by_line_state = false;
  [[nodiscard]] bool exists() const { return most != 0; }
};

/// The event that a counter's register selects.
[[nodiscard]] const Event& event_of(const Layout& layout, std::uint64_t counter);
[[nodiscard]] inline bool counts(std::uint64_t counter) { return counter::levels.of(counter) != 0; }
/// A counter that counts nothing keeps what is not its own.
void stop(const Layout& layout, Programmed& registers, std::string_view counter);
/// Nothing is on: the bit that turns it on shows nothing.
void drop_enable(const Layout& layout, Programmed& registers);

/// Codes. IA64_INST_RETIRED and its like.
inline constexpr std::uint64_t retired = 0x08;
/// Fetches of one kind have the second channel, and what counts either kind both (libpfm's code for ranges).
inline const std::set<std::uint64_t> prefetches{0x44, 0x45, 0x5f}, all_fetches{0x41, 0x46, 0x65, 0x66};
inline constexpr std::uint64_t l3_reads = 0xdd, l3_writes = 0xde;

// --- channels ---------------------------------------------------------------------------------------------------

/// Levels at which somebody looks at a channel's address and opcode, and at data channels.
struct Watched {
  std::array<std::uint64_t, channels> code{}, opcode{};
  std::uint64_t data = 0, data_opcode = 0;
  bool breakpoints = false;
};
[[nodiscard]] Watched watched(const Layout& layout, Programmed& registers);
/// What memory events look at through the data channels.
void add_tags_of_data(Watched& watched, std::uint64_t config);

[[nodiscard]] bool range_on(const Layout& layout, Programmed& registers, unsigned channel);
[[nodiscard]] bool has_opcode(const Layout& layout, Programmed& registers, unsigned channel);
/// Neither a range nor an opcode.
[[nodiscard]] bool is_free(const Layout& layout, Programmed& registers, unsigned channel);

[[nodiscard]] inline std::uint64_t rule_of(std::uint64_t config, unsigned k) { return data_ranges::rule[k].of(config); }
[[nodiscard]] inline bool is_enabled(std::uint64_t config, unsigned k) {
  return data_ranges::enable[k].of(config) != 0;
}
[[nodiscard]] inline bool any_enabled(std::uint64_t config) { return data_ranges::enables.of(config) != 0; }

}  // namespace pmusim::testbench::mutate::ia64
