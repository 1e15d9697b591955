// Itanium 2: the registers and fields that the rules use, and the reserved bits. Sources: Linux' description of the PMU
// (which bits software can write), libpfm 3.10's header, tables and manual page, the Itanium architecture manual,
// volume 2 ("SDM2"); docs/targets/itanium2.md lists the model's choices where these are silent.
#include "testbench/targets/ia64/equivalence.h"

#include <algorithm>

namespace pmusim::testbench::faults {
namespace {

constexpr std::array<std::string_view, 4> counters{"PMC4", "PMC5", "PMC6", "PMC7"};

constexpr ia64::Matcher matcher(std::string_view reg) {
  constexpr std::uint64_t bits = 0x7ffffff;
  return {{reg, std::uint64_t{0xf} << 60}, {reg, bits << 3}, {reg, bits << 33}};
}

constexpr ia64::Layout layout{.target = "itanium2",
                              .counters = counters,
                              .enable = {"PMC4", 1 << 23},
                              .has_instruction_sets = true,
                              .fetch_ear = "PMC10",
                              .data_ear = "PMC11",
                              .branches = "PMC12",
                              .trace_mode = {},
                              .matchers = {matcher("PMC8"), matcher("PMC9")},
                              .ignores_range = {"PMC8", 1},
                              .inverts = {"PMC8", 2},
                              .opcode_channels = "PMC15",
                              .code_ranges = "PMC14",
                              .data_ranges = "PMC13",
                              .cancels = {0x9b0, 0xab0},
                              .fine_page = 4096,
                              .fine_granule = 32};

/// Bits that software can write.
std::uint64_t writable(std::string_view reg) {
  struct Mask {
    std::string_view reg;
    std::uint64_t bits;
  };
  constexpr std::array masks{Mask{"PMC0", 0xf1},
                             Mask{"PMC4", 0x0fffff7f},
                             Mask{"PMC5", 0x0fffff7f},
                             Mask{"PMC6", 0x0fffff7f},
                             Mask{"PMC7", 0x0fffff7f},
                             Mask{"PMC8", 0xffffffff3ffffffb},
                             Mask{"PMC9", 0xffffffff3ffffffb},
                             Mask{"PMC10", 0xffff},
                             Mask{"PMC11", 0x030f01cf},
                             Mask{"PMC12", 0xffff},
                             Mask{"PMC13", 0x0001e00018181818},
                             Mask{"PMC14", 0x2492},
                             Mask{"PMC15", 0xf}};
  const auto found = std::find_if(masks.begin(), masks.end(), [&](const Mask& mask) { return mask.reg == reg; });
  return found == masks.end() ? ~std::uint64_t{0} : found->bits;
}

/// Writable bits without a function.
std::uint64_t ignored(std::string_view reg) {
  constexpr std::uint64_t pin = 1 << 4, not_used = 3 << 26, enable = 1 << 23;
  if (reg == "PMC4") return pin | not_used;
  if (reg == "PMC5" || reg == "PMC6" || reg == "PMC7") return pin | not_used | enable;
  if (reg == "PMC8") return std::uint64_t{1} << 32;
  if (reg == "PMC9") return 3 | std::uint64_t{1} << 32;
  if (reg == "PMC12") return 3 << 4;
  return ia64::ignored_of_breakpoint(reg);
}

/// Selects an event by the first of its codes and unit masks.
void join_codes(Programmed& registers) {
  constexpr std::uint64_t first_joined = 0xa1, last_joined = 0xaf, joined_bits = 0xc, named_bits = 3;
  constexpr std::uint64_t upper_pins = 0x9f, all_four_bits = 0xf, both_pins = 3;
  for (const std::string_view reg : counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t code = ia64::counter::code.of(value);
    if (code >= first_joined && code <= last_joined && (code & named_bits) != 0)
      ia64::counter::code.set(value, code & ~joined_bits);
    if (code == upper_pins && ia64::counter::umask.of(value) == all_four_bits)
      ia64::counter::umask.set(value, both_pins);
  }
}

std::uint64_t reserved(std::string_view reg) { return ~writable(reg) | ignored(reg); }

constexpr std::array rules{
    Rule{"bit that is not stored or has no function",
         "Linux perfmon_mckinley.h: writable bits; libpfm_itanium2.h: ignored fields; SDM2 7.1: 62:60 and 61:60",
         [](Programmed& registers) {
           registers.each([](std::string_view name, std::uint64_t& value) { value &= ~reserved(name); });
         }},
    Rule{"another code of the event",
         "Intel's event list (251110-001, as oprofile's events/ia64/itanium2 has it): A1 A5 A9 AD, A2 A6 AA AE and "
         "A3 A7 AB AF have one name each, and EXTERN_DP_PINS_4_TO_5_ALL has unit mask F",
         join_codes},
    Rule{"counter or unit off",
         "SDM2 7.2.1 and libpfm_itanium2.h: no level, ism 3, enable of PMC4, a code without an event, nothing to "
         "capture",
         [](Programmed& registers) { ia64::drop_stopped(layout, registers); }, ia64::of_stopped},
    ia64::unit_mask_rule<layout>,
    Rule{"threshold out of reach", "manual page libpfm_itanium2(3): largest increment of each event",
         [](Programmed& registers) { ia64::drop_unreachable(layout, registers); }, ia64::of_unreachable},
    Rule{"setting that the unit's mode does not look at",
         "libpfm_itanium2.h and event table: unit masks by mode of PMC10 and PMC11; filters of PMC12",
         [](Programmed& registers) { ia64::drop_unit_details(layout, registers); }, ia64::of_unit_details},
    ia64::level_rule<layout>,
    ia64::slot_type_rule<layout>,
    ia64::fetch_rule<layout>,
    Rule{"data filter that nothing looks at", "libpfm's table of PMC13: enabled pairs, and 3 constrains nothing",
         [](Programmed& registers) { ia64::drop_data_filters(layout, registers); }, ia64::of_data_filters},
    Rule{"channel with the same range and opcode",
         "libpfm_itanium2.h: matchers of channels 0 and 2, 1 and 3; in fine mode pairs 0 and 2, 1 and 3 are one range; "
         "unit "
         "masks of event 0x08 differ in their channel",
         [](Programmed& registers) { ia64::join_alike_channels(layout, registers); }, ia64::of_alike_channels},
    Rule{"code filter that nothing looks at",
         "libpfm_itanium2.h: PMC14, PMC15 and ig_ad switch pairs and matchers off; fine mode compares pairs of bundles",
         [](Programmed& registers) { ia64::drop_code_filters(layout, registers); }, ia64::of_code_filters},
    Rule{"bit that a mask leaves out",
         "SDM2 7.1.1: address bits, and half of a data range that another one covers; libpfm_itanium2.h: bits of an "
         "opcode",
         [](Programmed& registers) { ia64::drop_uncompared(layout, registers); }, ia64::of_uncompared},
    Rule{"channel without constraint", "libpfm's event table: unit masks of event 0x08 differ in their channel",
         [](Programmed& registers) { ia64::join_free_channels(layout, registers); }, "pmu.ia32_retirement=counted"},
};

}  // namespace

}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::targets::itanium2 {

extern const faults::EquivalenceFacts equivalence{faults::rules, faults::reserved};

}  // namespace pmusim::testbench::targets::itanium2
