// Settings of the PMUs of IA-64 processors without an effect, independent of register names: counters and units that
// are off, and filters that no event uses. SDM2 is the Itanium architecture manual, volume 2.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string_view>

#include "testbench/faults/equivalence.h"

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
                                  of_unit_details =
                                      "pmu.ear_mode3=alat, pmu.iear_umask=pattern, pmu.btb_not_taken=none",
                                  of_levels = "pmu.inv_scope=first, pmu.memory_tag=channel_0",
                                  of_fetches = "pmu.data_channels=any, pmu.memory_tag=channel_0",
                                  of_data_filters =
                                      "pmu.memory_tag=channel_0, pmu.no_data_channel=pass, "
                                      "pmu.data_channels=any",
                                  of_code_filters =
                                      "pmu.fine_mask=page, pmu.fine_union=first, pmu.fine_upper=range, "
                                      "pmu.inv_scope=first",
                                  of_alike_channels = "pmu.fine_upper=range, pmu.fine_union=first, pmu.inv_scope=first",
                                  of_uncompared = "pmu.data_channels=any, pmu.data_extent=first_byte";

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

}  // namespace pmusim::testbench::faults::ia64
