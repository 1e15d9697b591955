// PowerPC 750GX and 750GL: settings of MMCR0 and MMCR1 without an effect. Source: IBM PowerPC 750GX and 750GL RISC
// Microprocessor User's Manual, chapter 11; where it is silent, the choices of docs/targets/ppc750gx.md.
#include "testbench/faults/equivalence.h"

#include <array>

namespace pmusim::testbench::faults {
namespace {

/// Bits of MMCR0, in the order of IBM's bit numbers.
constexpr std::uint64_t dis = 0x80000000, dp = 0x40000000, du = 0x20000000, dms = 0x10000000, dmr = 0x08000000;
constexpr std::uint64_t enint = 0x04000000, discount = 0x02000000, rtcselect = 0x01800000, on_bit = 0x00400000;
constexpr std::uint64_t threshold = 0x003f0000, pmc1_int = 0x8000, pmc_int = 0x4000, trigger = 0x2000;

struct Selector {
  std::string_view reg;
  unsigned shift;
  std::uint64_t limit;
  /// Bit n: code n has an event (tables 11-2 to 11-5).
  std::uint32_t counting;
};
constexpr std::array selectors{Selector{"MMCR0", 6, 0x7f, 0x01fff & ~1u}, Selector{"MMCR0", 0, 0x3f, 0x1fdff & ~1u},
                               Selector{"MMCR1", 27, 0x1f, 0x3bdff & ~1u}, Selector{"MMCR1", 22, 0x1f, 0x07d7f & ~1u}};
constexpr std::uint64_t time_base_edges = 3, long_misses = 10;

std::uint64_t selected(Programmed& registers, unsigned counter) {
  const Selector& s = selectors[counter];
  return registers.at(s.reg) >> s.shift & s.limit;
}
void select_nothing(Programmed& registers, unsigned counter) {
  registers.at(selectors[counter].reg) &= ~(selectors[counter].limit << selectors[counter].shift);
}
bool others_hold(Programmed& registers) {
  return selected(registers, 1) == 0 && selected(registers, 2) == 0 && selected(registers, 3) == 0;
}

std::uint64_t reserved(std::string_view reg) { return reg == "MMCR1" ? 0x003fffff : 0; }

void drop_reserved(Programmed& registers) {
  registers.each([](std::string_view name, std::uint64_t& value) { value &= ~reserved(name); });
}

void drop_reserved_codes(Programmed& registers) {
  for (unsigned counter = 0; counter < selectors.size(); ++counter) {
    const std::uint64_t code = selected(registers, counter);
    if (code >= 32 || (selectors[counter].counting >> code & 1) == 0) select_nothing(registers, counter);
  }
}

// All settings that stop counting are equivalent to DIS.
void join_stops(Programmed& registers) {
  std::uint64_t& mmcr0 = registers.at("MMCR0");
  const auto both = [&](std::uint64_t a, std::uint64_t b) { return (mmcr0 & a) != 0 && (mmcr0 & b) != 0; };
  if ((mmcr0 & dis) != 0 || both(dp, du) || both(dms, dmr)) {
    for (unsigned counter = 0; counter < selectors.size(); ++counter) select_nothing(registers, counter);
  }
  if (selected(registers, 0) == 0 && others_hold(registers))
    mmcr0 &= ~(dp | du | dms | dmr | trigger | pmc1_int | pmc_int | dis);
}

void drop_interrupt_controls(Programmed& registers) {
  std::uint64_t& mmcr0 = registers.at("MMCR0");
  if (selected(registers, 0) == 0) mmcr0 &= ~pmc1_int;
  if (others_hold(registers)) mmcr0 &= ~pmc_int;
  if ((mmcr0 & enint) == 0) mmcr0 &= ~(pmc1_int | pmc_int | on_bit);
  if ((mmcr0 & (pmc1_int | pmc_int | on_bit)) == 0) mmcr0 &= ~(enint | discount);
}

void drop_unused_settings(Programmed& registers) {
  std::uint64_t& mmcr0 = registers.at("MMCR0");
  bool edges = (mmcr0 & on_bit) != 0;
  for (unsigned counter = 0; counter < selectors.size(); ++counter) {
    edges = edges || selected(registers, counter) == time_base_edges;
  }
  if (!edges) mmcr0 &= ~rtcselect;
  if (selected(registers, 0) != long_misses) mmcr0 &= ~threshold;
  if (others_hold(registers)) mmcr0 &= ~trigger;
}

constexpr std::array rules{
    Rule{"reserved bit", "User's Manual, 2.1: MMCR1 bits 10:31", drop_reserved, "pmu.mmcr1_reserved=drop"},
    Rule{"reserved code", "User's Manual, tables 11-2 to 11-5: the counter holds, as with code 0", drop_reserved_codes,
         "pmu.pmc1_13=holds, pmu.pmc2_9=holds, pmu.pmc3_9=holds, pmu.pmc4_9=holds, pmu.pmc4_31=holds"},
    Rule{"nothing counts", "User's Manual, 11.2: DIS, DP with DU, DMS with DMR, or no event selected", join_stops},
    Rule{"no interrupt to control", "User's Manual, 11.2: ENINT off, no cause enabled, or its counters hold",
         drop_interrupt_controls},
    Rule{"setting of an event not selected",
         "User's Manual, 11.2, 11.4, 11.5: THRESHOLD is PMC1's code 10, RTCSELECT code 3, PMCTRIGGER PMC2 to PMC4",
         drop_unused_settings},
};

}  // namespace

}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::targets {

const faults::EquivalenceFacts ppc750gx::equivalence{faults::rules, faults::reserved};
const faults::EquivalenceFacts ppc750gl::equivalence{faults::rules, faults::reserved};

}  // namespace pmusim::testbench::targets
