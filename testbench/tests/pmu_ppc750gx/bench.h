// Shared parts of the 750GX monitor's tests: SPR numbers as in the manual's Table 11-1, and short ways to program it.
#pragma once

#include <memory>
#include <utility>

#include "models/ppc750gx/ppc750gx.h"
#include "testbench/tests/monitors/hand_made.h"

namespace pmusim::testing {

inline constexpr RegisterId spr(std::uint32_t number) { return {pmu::Space::spr, number}; }
inline constexpr RegisterId mmcr0 = spr(952), pmc1 = spr(953), pmc2 = spr(954), sia = spr(955), mmcr1 = spr(956),
                            pmc3 = spr(957), pmc4 = spr(958), iabr = spr(1010);
inline constexpr RegisterId tbl = spr(268), tbu = spr(269), tblw = spr(284), tbuw = spr(285);
inline constexpr RegisterId pmc[] = {pmc1, pmc2, pmc3, pmc4};
inline constexpr Accessor supervisor{0, false}, user{3, false};

// A bit of a 32-bit register by the manual's number: IBM bit b is 2^(31-b).
inline constexpr std::uint32_t ibm(unsigned bit) { return 1u << (31 - bit); }
inline constexpr std::uint32_t dis = ibm(0), dp = ibm(1), du = ibm(2), dms = ibm(3), dmr = ibm(4), enint = ibm(5),
                               discount = ibm(6), intonbittrans = ibm(9), pmc1intcontrol = ibm(16),
                               pmcintcontrol = ibm(17), pmctrigger = ibm(18);
inline constexpr std::uint32_t rtcselect(unsigned v) { return v * ibm(8); }
inline constexpr std::uint32_t threshold(unsigned v) { return v * ibm(15); }
inline constexpr std::uint32_t select1(unsigned v) { return v * ibm(25); }
inline constexpr std::uint32_t select2(unsigned v) { return v * ibm(31); }
inline constexpr std::uint32_t select3(unsigned v) { return v * ibm(4); }
inline constexpr std::uint32_t select4(unsigned v) { return v * ibm(9); }
inline constexpr unsigned hold = 0, cycles = 1, completed = 2, time_base_edges = 3, dispatched = 4;

inline constexpr std::uint32_t ee = ibm(16), pr = ibm(17), pm = ibm(29);

inline std::unique_ptr<Monitor> make_750(Flips flips = {}) {
  return make_with(pmu::ppc750gx_pmu_parameters(), pmu::make_ppc750gx_monitor, flips);
}

/// A monitor with these control values; the counters are 0.
inline std::unique_ptr<Monitor> programmed(std::uint32_t mmcr0_value, std::uint32_t mmcr1_value = 0, Flips flips = {}) {
  auto monitor = make_750(flips);
  put(*monitor, mmcr1, mmcr1_value);
  put(*monitor, mmcr0, mmcr0_value);
  return monitor;
}

/// A monitor with one event on one counter; the other counters are off.
inline std::unique_ptr<Monitor> selecting(unsigned counter, unsigned code, std::uint32_t mmcr0_rest = 0,
                                          Flips flips = {}) {
  switch (counter) {
    case 1:
      return programmed(select1(code) | mmcr0_rest, 0, flips);
    case 2:
      return programmed(select2(code) | mmcr0_rest, 0, flips);
    case 3:
      return programmed(mmcr0_rest, select3(code), flips);
    default:
      return programmed(mmcr0_rest, select4(code), flips);
  }
}

}  // namespace pmusim::testing
