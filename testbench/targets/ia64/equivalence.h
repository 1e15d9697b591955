// Settings of the PMUs of IA-64 processors without an effect, independent of register names: counters and units that
// are off, and filters that no event uses. SDM2 is the Itanium architecture manual, volume 2.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "testbench/faults/equivalence.h"
#include "testbench/faults/fields.h"

namespace pmusim::testbench::faults::ia64 {

/// A field of a register; an empty name if there is none.
struct Bits {
  std::string_view reg = {};
  std::uint64_t mask = 0;
};

/// The comparison of a syllable.
struct Matcher {
  Bits types;    ///< slot types that are accepted
  Bits ignored;  ///< 1: not compared
  Bits match;    ///< as wide as `ignored`
};

/// The registers and fields of a PMU that the rules use. A counter has levels 3:0, code 15:8, unit mask 19:16 and
/// threshold 22:20; the configuration of data ranges, of code ranges and of channels without opcode has the same format
/// on all processors.
struct Layout {
  std::string_view target;
  std::span<const std::string_view> counters;
  Bits enable;                                      ///< 1: counters and units are on
  bool has_instruction_sets;                        ///< counters and EARs have such a mask; IA-32 code is executed
  std::uint64_t line_states = 0, both_threads = 0;  ///< of a counter; the lowest line state is invalid
  std::string_view fetch_ear, data_ear, branches;
  Bits trace_mode;                   ///< of the unit that traces addresses in place of the branch buffer
  std::uint64_t traces = 0;          ///< the value of trace_mode that enables this unit
  std::array<Matcher, 2> matchers;   ///< of channels 0 and 2, and of 1 and 3
  Bits ignores_range, inverts;       ///< channel 0
  std::string_view opcode_channels;  ///< 1: no opcode
  std::string_view code_ranges, data_ranges;
  struct {
    std::uint64_t by_all = 0, by_data = 0;
  } cancels = {};              ///< of an event that fetches and data cause, and of its part by data
  std::uint64_t fine_page;     ///< bytes of the page that contains a fine range
  std::uint64_t fine_granule;  ///< resolution of its ends in bytes
};

// One function per rule; the rules are applied in this order.
void drop_line_states(const Layout& layout, Programmed& registers);
void drop_stopped(const Layout& layout, Programmed& registers);
void join_unit_masks(const Layout& layout, Programmed& registers);
void drop_slot_types(const Layout& layout, Programmed& registers);
void drop_unreachable(const Layout& layout, Programmed& registers);
void drop_unit_details(const Layout& layout, Programmed& registers);
void drop_levels(const Layout& layout, Programmed& registers);
void drop_filtered_fetches(const Layout& layout, Programmed& registers);
void drop_data_filters(const Layout& layout, Programmed& registers);
void drop_code_filters(const Layout& layout, Programmed& registers);
void drop_uncompared(const Layout& layout, Programmed& registers);
void join_free_channels(const Layout& layout, Programmed& registers);
/// Applied before drop_code_filters.
void join_alike_channels(const Layout& layout, Programmed& registers);

/// Parameters of the model on which the rules depend, where documents are silent.
inline constexpr std::string_view of_stopped = "pmu.dear_umask=nothing", of_unreachable = "pmu.increment_limit=table",
                                  of_unit_details = "pmu.ear_mode3=alat, pmu.iear_umask=pattern",
                                  of_levels = "pmu.inv_scope=first, pmu.memory_tag=channel_0",
                                  of_fetches = "pmu.data_channels=any, pmu.memory_tag=channel_0",
                                  of_data_filters =
                                      "pmu.memory_tag=channel_0, pmu.no_data_channel=pass, "
                                      "pmu.data_channels=any",
                                  of_code_filters = "pmu.fine_mask=page, pmu.fine_union=first, pmu.inv_scope=first",
                                  of_alike_channels = "pmu.fine_union=first, pmu.inv_scope=first",
                                  of_uncompared = "pmu.data_channels=any";

// Rules with the same sources for all processors, for the one with this layout.
template <const Layout& layout>
inline constexpr Rule unit_mask_rule{"unit mask that another one includes",
                                     "251110: SYLL_OVERCOUNT counts explicit and implicit stops at once; Caliper: a "
                                     "miss of both ITLBs is one of the first",
                                     [](Programmed& registers) { join_unit_masks(layout, registers); }};
template <const Layout& layout>
inline constexpr Rule level_rule{"level at which the code range does not hold", "SDM2 7.1: plm of the breakpoint pair",
                                 [](Programmed& registers) { drop_levels(layout, registers); }, of_levels};
template <const Layout& layout>
inline constexpr Rule slot_type_rule{"type of slot that no event looks at",
                                     "Caliper: PREDICATE_SQUASHED_RETIRED leaves slots of branches out",
                                     [](Programmed& registers) { drop_slot_types(layout, registers); }};
template <const Layout& layout>
inline constexpr Rule fetch_rule{
    "fetch under a filter of data or opcodes",
    "libpfm's event table: names with INST_FETCH and INST, bus and L2 fetches; a fetch has neither",
    [](Programmed& registers) { drop_filtered_fetches(layout, registers); }, of_fetches};

/// Bits of a breakpoint register that no monitor uses; 0 for other registers.
[[nodiscard]] std::uint64_t ignored_of_breakpoint(std::string_view reg);

// Fields of IA-64 registers that the rules of equivalence use, from libpfm's headers and manual pages for the Itanium 2
// and Montecito, and from SDM2 (breakpoint registers). The register numbers differ and are in Layout.

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

// Decodes the registers of an IA-64 PMU: the events that count, and the users of each channel.

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
