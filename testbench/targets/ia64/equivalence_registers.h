// Fields of IA-64 registers that the rules of equivalence use, from libpfm's headers and manual pages for the Itanium 2
// and Montecito, and from SDM2 (breakpoint registers). The register numbers differ and are in Layout.
#pragma once

#include <array>

#include "testbench/faults/bit_field.h"

namespace pmusim::testbench::faults::ia64 {

inline constexpr unsigned channels = 4;

/// Levels at which a counter or unit is on.
inline constexpr std::uint64_t all_levels = 15;
inline constexpr std::uint64_t no_instruction_set = 3;

/// The PMC of a counter.
namespace counter {
inline constexpr BitField levels{0, 4}, code{8, 8}, umask{16, 4}, threshold{20, 3}, instruction_sets{24, 2};
/// Parts of unit masks: the channel of a retirement event; for L3 events the result of a lookup and its requester.
inline constexpr BitField channel{16, 2}, lookup{16, 2}, lookup_by{18, 2};
inline constexpr std::uint64_t lookup_hits = 1, lookup_misses = 2, lookup_any = 3, by_all = 3, by_fetch = 1;
/// Unit mask and code together, as in the tables of events.
inline constexpr BitField event_code{0, 8}, event_umask{8, 4};
inline constexpr std::size_t events = 0x1000;
constexpr std::uint64_t event_of(std::uint64_t value) {
  return event_code.with(code.of(value)) | event_umask.with(umask.of(value));
}
constexpr std::uint64_t with_event(std::uint64_t event) {
  return code.with(event_code.of(event)) | umask.with(event_umask.of(event));
}
}  // namespace counter

/// Configuration of the instruction EAR.
namespace fetch_ear {
inline constexpr BitField levels{0, 4}, cache_umask{5, 8}, mode{12, 2}, cache{13, 1}, instruction_sets{14, 2};
/// The unit mask in the mode for TLB misses, and the bits without an effect then.
inline constexpr BitField tlb_umask{5, 3}, beside_tlb_umask{8, 4};
inline constexpr std::uint64_t tlb_mode = 0, off_mode = 1;
/// The only bit of the unit mask that has an effect without a leading 1.
inline constexpr std::uint64_t second_cache_bit = 0x40;
/// The unit mask with `ones` leading ones and no other bit.
constexpr std::uint64_t leading_ones(int ones) { return 0xffu << (8 - ones) & 0xffu; }
}  // namespace fetch_ear

/// Configuration of the data EAR.
namespace data_ear {
inline constexpr BitField levels{0, 4}, mode{7, 2}, umask{16, 4}, instruction_sets{24, 2};
/// In the mode for TLB misses the lowest bit of the unit mask has no effect.
inline constexpr BitField beside_tlb_umask{16, 1}, tlb_umask{17, 3};
inline constexpr std::uint64_t cache_mode = 0, tlb_mode = 1, alat_mode = 2, highest_cache_umask = 10;
}  // namespace data_ear

/// Configuration of the branch buffer: each filter has one bit per outcome.
namespace branches {
inline constexpr BitField levels{0, 4}, details{7, 1}, taken_mask{8, 2}, target_mask{10, 2}, path_mask{12, 2},
    filters{8, 6};
inline constexpr std::uint64_t not_taken = 1, taken = 2;
inline constexpr std::uint64_t wrong = 1, right = 2;  ///< predicted target, predicted path
}  // namespace branches

/// Configuration of data ranges: a rule and an enable for each channel.
namespace data_ranges {
inline constexpr std::array<BitField, channels> rule{{{3, 2}, {11, 2}, {19, 2}, {27, 2}}};
inline constexpr std::array<BitField, channels> enable{{{45, 1}, {46, 1}, {47, 1}, {48, 1}}};
inline constexpr BitField enables{45, 4};
/// A rule compares the tag, the address, both or neither.
inline constexpr std::uint64_t tag_alone = 1, address_alone = 2, nothing = 3;
constexpr bool has_tag(std::uint64_t rule) { return rule < address_alone; }
constexpr bool has_address(std::uint64_t rule) { return rule % 2 == 0; }
constexpr std::uint64_t without_tag(std::uint64_t rule) { return rule + 2; }
}  // namespace data_ranges

/// Configuration of code ranges: 1 disables a channel's range.
namespace code_ranges {
inline constexpr std::array<BitField, channels> off{{{1, 1}, {4, 1}, {7, 1}, {10, 1}}};
inline constexpr BitField fine{13, 1};
}  // namespace code_ranges

/// Channels without an opcode: 1 disables a channel's opcode.
namespace opcode_channels {
inline constexpr std::array<BitField, channels> off{{{0, 1}, {1, 1}, {2, 1}, {3, 1}}};
/// True if both channels of a matcher have their opcode disabled.
constexpr bool neither(std::uint64_t value, unsigned matcher) {
  return off[matcher].of(value) != 0 && off[matcher + 2].of(value) != 0;
}
}  // namespace opcode_channels

/// The odd register of a breakpoint pair.
namespace breakpoint {
inline constexpr BitField mask{0, 56}, levels{56, 4}, beside_mask{56, 8}, faults{62, 2};
inline constexpr BitField ignored_of_ibr{60, 4}, ignored_of_dbr{60, 2}, within_bundle{0, 4};
}  // namespace breakpoint

}  // namespace pmusim::testbench::faults::ia64
