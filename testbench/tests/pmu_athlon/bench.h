// Shared parts of the Athlon's monitor tests: register numbers and fields as in 22007 Rev. E, pp. 162-168, and short
// ways to program them.
#pragma once

#include <memory>
#include <utility>

#include "models/athlon/athlon.h"
#include "testbench/tests/monitors/hand_made.h"

namespace pmusim::testing {

inline constexpr RegisterId perf_evt_sel(unsigned i) { return {pmu::Space::msr, 0xc001'0000 + i}; }
inline constexpr RegisterId perf_ctr(unsigned i) { return {pmu::Space::msr, 0xc001'0004 + i}; }
inline constexpr RegisterId rdpmc(std::uint32_t i) { return {pmu::Space::rdpmc, i}; }
inline constexpr RegisterId tsc{pmu::Space::msr, 0x10}, lvtpc{pmu::Space::apic, 0x340};
inline constexpr RegisterId dr(unsigned i) { return {pmu::Space::dr, i}; }

inline constexpr std::uint32_t usr = 1u << 16, os = 1u << 17, edge = 1u << 18, pc = 1u << 19, interrupt = 1u << 20,
                               en = 1u << 22, inv = 1u << 23;
inline constexpr std::uint32_t units(unsigned mask) { return mask << 8; }
inline constexpr std::uint32_t counter_mask(unsigned c) { return c << 24; }
inline constexpr std::uint32_t all_rings = usr | os | en;
inline constexpr std::uint64_t two48 = std::uint64_t{1} << 48;
inline constexpr std::uint32_t clocks = 0x76, instructions = 0xc0, fetches = 0x80;

inline constexpr std::uint32_t lvt_masked = 1u << 16, lvt_nmi = 4u << 8, lvt_smi = 2u << 8, lvt_pending = 1u << 12;

inline std::unique_ptr<Monitor> make_k7(Flips flips = {}) {
  return make_with(pmu::athlon_pmu_parameters(), pmu::make_athlon_monitor, flips);
}

/// PerfEvtSel0 = `select`, the APIC entry delivers NMIs.
inline std::unique_ptr<Monitor> programmed(std::uint32_t select, Flips flips = {}) {
  auto monitor = make_k7(flips);
  put(*monitor, lvtpc, lvt_nmi);
  put(*monitor, perf_evt_sel(0), select);
  return monitor;
}

/// The value of PerfCtr0 after the block.
inline std::uint64_t counted(std::uint32_t select, const HandMade& activity, Flips flips = {}) {
  auto monitor = programmed(select, flips);
  consume_both(*monitor, activity.block());
  return get(*monitor, perf_ctr(0));
}

/// n[i] fetch requests in clock i.
inline HandMade fetch_counts(const std::vector<unsigned>& n) {
  HandMade activity(n.size());
  for (std::size_t at = 0; at < n.size(); ++at) {
    for (unsigned i = 0; i < n[at]; ++i) activity.occur(Signal::fetch, at);
  }
  return activity;
}

}  // namespace pmusim::testing
