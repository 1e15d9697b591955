// Montecito: the registers and fields that the rules use, and the reserved bits. Sources: Linux' description of the PMU
// (which bits software can write), libpfm 3.10's header, tables and manual page, the Itanium architecture manual,
// volume 2 ("SDM2"); docs/targets/montecito.md lists the model's choices where these are silent.
#include "testbench/targets/ia64/equivalence.h"

#include <algorithm>
#include <bit>

namespace pmusim::testbench::faults {
namespace {

constexpr std::array<std::string_view, 12> counters{"PMC4",  "PMC5",  "PMC6",  "PMC7",  "PMC8",  "PMC9",
                                                    "PMC10", "PMC11", "PMC12", "PMC13", "PMC14", "PMC15"};

constexpr ia64::Matcher matcher(std::string_view first, std::string_view second) {
  constexpr std::uint64_t syllable = (std::uint64_t{1} << 41) - 1;
  return {{first, std::uint64_t{0xf} << 48}, {first, syllable}, {second, syllable}};
}

constexpr ia64::Layout layout{.target = "montecito",
                              .counters = counters,
                              .enable = {},
                              .has_instruction_sets = false,
                              .line_states = std::uint64_t{0xf} << 27,
                              .both_threads = 1 << 26,
                              .fetch_ear = "PMC37",
                              .data_ear = "PMC40",
                              .branches = "PMC39",
                              .trace_mode = {"PMC42", 7 << 8},
                              .traces = 4,
                              .matchers = {matcher("PMC32", "PMC33"), matcher("PMC34", "PMC35")},
                              .ignores_range = {"PMC32", std::uint64_t{1} << 57},
                              .inverts = {"PMC32", std::uint64_t{1} << 56},
                              .opcode_channels = "PMC36",
                              .code_ranges = "PMC38",
                              .data_ranges = "PMC41",
                              .fine_page = 65536,
                              .fine_granule = 16};

bool is_counter(std::string_view reg) { return std::find(counters.begin(), counters.end(), reg) != counters.end(); }

/// Bits that software can write.
std::uint64_t writable(std::string_view reg) {
  struct Mask {
    std::string_view reg;
    std::uint64_t bits;
  };
  constexpr std::uint64_t syllable = (std::uint64_t{1} << 41) - 1;
  constexpr std::array masks{Mask{"PMC0", 0xfff1},
                             Mask{"PMC32", std::uint64_t{0x030f} << 48 | syllable},
                             Mask{"PMC33", syllable},
                             Mask{"PMC34", std::uint64_t{0x000f} << 48 | syllable},
                             Mask{"PMC35", syllable},
                             Mask{"PMC36", 0xf},
                             Mask{"PMC37", 0x3fff},
                             Mask{"PMC38", 0x2492},
                             Mask{"PMC39", 0xffcf},
                             Mask{"PMC40", 0x000f01cf},
                             Mask{"PMC41", 0x0001e00018181818},
                             Mask{"PMC42", 0x0007ff4f}};
  if (is_counter(reg)) return 0x7c7fff7f;
  const auto found = std::find_if(masks.begin(), masks.end(), [&](const Mask& mask) { return mask.reg == reg; });
  return found == masks.end() ? ~std::uint64_t{0} : found->bits;
}

// CPU_CPL_CHANGES at a single level with that level's bit: all changes seen there are changes to this level.
void join_level_changes(Programmed& registers) {
  namespace counter = ia64::counter;
  constexpr std::uint64_t level_changes = 0x13;
  for (const std::string_view reg : counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t levels = counter::levels.of(value);
    if (counter::code.of(value) == level_changes && std::has_single_bit(levels) && counter::umask.of(value) == levels)
      value |= counter::umask.mask();
  }
}

std::uint64_t reserved(std::string_view reg) {
  constexpr std::uint64_t pin = 1 << 4;
  return ~writable(reg) | (is_counter(reg) ? pin : 0) | ia64::ignored_of_breakpoint(reg);
}

constexpr std::array rules{
    Rule{"bit that is not stored or has no function",
         "Linux perfmon_montecito.h: writable bits; libpfm_montecito.h: ignored fields; SDM2 7.1: 62:60 and 61:60",
         [](Programmed& registers) {
           registers.each([](std::string_view name, std::uint64_t& value) { value &= ~reserved(name); });
         }},
    Rule{"line states of an event without any",
         "libpfm's event table: events with MESI masks; none set selects no line, a miss finds it invalid",
         [](Programmed& registers) { ia64::drop_line_states(layout, registers); }},
    Rule{"counter or unit off",
         "SDM2 7.2.1 and libpfm_montecito.h: no level, a code without an event, nothing to capture",
         [](Programmed& registers) { ia64::drop_stopped(layout, registers); }, ia64::of_stopped},
    ia64::unit_mask_rule<layout>,
    Rule{"level changes of the only level that counts",
         "libpfm's event table: unit masks of CPU_CPL_CHANGES, a bit for changes to or from each level; SDM2 7.2.1: "
         "plm is "
         "compared with the current level, here the new one from the cycle of the change on",
         join_level_changes},
    Rule{"threshold out of reach",
         "manual page libpfm_montecito(3): largest increment of each event; that of CPU_OP_CYCLES_HALTED, 7, is its "
         "only "
         "one here",
         [](Programmed& registers) { ia64::drop_unreachable(layout, registers); }, ia64::of_unreachable},
    Rule{"setting that the unit's mode does not look at",
         "libpfm_montecito.h and event table: unit masks by mode of PMC37 and PMC40; filters of PMC39, mode of PMC42; "
         "a thread has units of its own",
         [](Programmed& registers) { ia64::drop_unit_details(layout, registers); }, ia64::of_unit_details},
    ia64::level_rule<layout>,
    ia64::slot_type_rule<layout>,
    ia64::fetch_rule<layout>,
    Rule{"data filter that nothing looks at", "libpfm's table of PMC41: enabled pairs, and 3 constrains nothing",
         [](Programmed& registers) { ia64::drop_data_filters(layout, registers); }, ia64::of_data_filters},
    Rule{"channel with the same range and opcode",
         "libpfm_montecito.h: matchers of channels 0 and 2, 1 and 3; in fine mode pairs 0 and 2, 1 and 3 are one "
         "range; unit "
         "masks of event 0x08 differ in their channel",
         [](Programmed& registers) { ia64::join_alike_channels(layout, registers); }, ia64::of_alike_channels},
    Rule{"code filter that nothing looks at",
         "libpfm_montecito.h: PMC38, PMC36 and ig_ad switch pairs and matchers off; fine mode compares bundles",
         [](Programmed& registers) { ia64::drop_code_filters(layout, registers); }, ia64::of_code_filters},
    Rule{"bit that a mask leaves out",
         "SDM2 7.1.1: address bits, and half of a data range that another one covers; libpfm_montecito.h: bits of an "
         "opcode",
         [](Programmed& registers) { ia64::drop_uncompared(layout, registers); }, ia64::of_uncompared},
    Rule{"channel without constraint", "libpfm's event table: unit masks of event 0x08 differ in their channel",
         [](Programmed& registers) { ia64::join_free_channels(layout, registers); }},
};

}  // namespace

}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::targets::montecito {

extern const faults::EquivalenceFacts equivalence{faults::rules, faults::reserved};

}  // namespace pmusim::testbench::targets::montecito
