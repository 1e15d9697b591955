#include <fmt/format.h>

#include <fstream>

#include "bench.h"

namespace pmusim::testbench {
namespace {

struct Row {
  const char* target;
  const char* trace;
  const char* event;
  std::uint64_t count;
};

// The expected counts follow from the programs' descriptions (isa-traces/micro/alpha_programs.py).
const Row rows[] = {
    {"alpha-ev5", "pins", "PF5_MUX2_C_EXTERNAL", 9 + 20},
    {"alpha-ev5", "pins_long", "PF5_MUX2_C_EXTERNAL", 300},
    {"alpha-pca56", "pins", "PF5_MUX2_C_EXTERNAL", 0},  // the select is reserved there
    {"alpha-ev4", "pins", "PF_EXTPIN0", 2 * 2},         // counters count halves
    {"alpha-ev5", "system", "PF5_MUX1_C_SYS_REQ", 5 + 2 + 4 + 1 + 3 + 1},
    {"alpha-ev5", "system", "PF5_MUX2_C_SYS_READ_REQ", 5},
    {"alpha-ev5", "system", "PF5_MUX2_C_SYS_INV", 4},
    {"alpha-pca56", "system", "PF5_MUX2_C_SYS_READ_FLUSH_MISS", 5 + 2},
    {"alpha-pca56", "system", "PF5_MUX2_C_SYS_READ_FLUSH_HIT", 3 + 1},
    {"alpha-ev5", "shared", "PF5_MUX2_C_SCACHE_SH_WRITE", 6},
    {"alpha-ev5", "shared", "PF5_MUX1_C_STORE_INSTRUCTIONS", 10},
    {"alpha-ev6", "unaligned", "PF6_MUX1_RET_UNALIGNED_TRAPS", 48},
    // A double miss occurs in the flow for a single miss: one of each per load, and single misses count by two.
    {"alpha-ev6", "data_double_walks", "PF6_MUX1_RET_DTB_DOUBLE_MISSES", 48},
    {"alpha-ev6", "data_double_walks", "PF6_MUX1_RET_DTB_SINGLE_MISSES", 2 * 48},
    // The page of the page table is loaded first, and is replaced in its turn after 128 other pages.
    {"alpha-ev6", "data_walks", "PF6_MUX1_RET_DTB_SINGLE_MISSES", 2 * 200},
    {"alpha-ev6", "data_walks", "PF6_MUX1_RET_DTB_DOUBLE_MISSES", 2},
    {"alpha-ev6", "code_walks", "PF6_MUX1_RET_ITB_MISSES", 48},
    {"alpha-ev5", "arithmetic", "PF5_MUX1_C_FP_INSTRUCTIONS", 48},
    {"alpha-ev5", "divides", "PF5_MUX1_C_FP_INSTRUCTIONS", 12 * 2},
    {"alpha-ev5", "divides", "PF5_MUX2_C_LONG_STALLS", 12},  // the second of each pair waits 22 cycles for the divider
    // Of the groups of 8, 8, 8 and 6 that retire together, four branches count at once, the others in the next cycles.
    {"alpha-ev6", "branch_bursts", "PF6_MUX1_RET_COND_BRANCHES", 6 * (8 + 8 + 8 + 6)},
    {"alpha-ev5", "flushes", "PF5_MUX1_C_SYS_REQ", 4 + 12 + 4},
    {"alpha-pca56", "flushes", "PF5_MUX2_C_SYS_READ_FLUSH_HIT", 12 + 4},
};

TEST(AlphaCounts, AreThoseOfTheProgram) {
  for (const Row& row : rows) {
    const EventCounts counted = count(row.target, micro_trace(row.trace), {row.event});
    EXPECT_EQ(counted.counts[0].value, row.count) << row.target << " " << row.event << " on " << row.trace;
  }
}

// pfm(7) exempts what the refill buffer holds for the 21164 alone: on the 21064 each of the 32-byte lines of straight
// code is a miss of the Icache, also one that the stream buffer is fetching.
TEST(AlphaCounts, EachLineOfStraightCodeIsAMissOfThe21064) {
  for (const std::uint64_t lines : {20, 100}) {
    std::string text = "! isa alpha\n";
    for (std::uint64_t i = 0; i < 8 * lines; ++i) text += fmt::format("{:x} 03042240\n", 0x120000000 + 4 * i);
    const std::string file = ::testing::TempDir() + fmt::format("straight-{}.txt", lines);
    std::ofstream(file) << text;
    EXPECT_EQ(count("alpha-ev4", file, {"PF_ICACHE"}).counts[0].value, 2 * lines) << "two halves a miss";
    EXPECT_LT(count("alpha-ev5", file, {"PF5_MUX2_C_ICACHE_MISSES"}).counts[0].value, lines);
  }
}

TEST(AlphaCounts, CyclesAreAll) {
  for (const auto& [target, event, per_event] :
       {std::tuple{"alpha-ev4", "PF_CYCLES:freq=4096", 2u}, std::tuple{"alpha-ev5", "PF5_MUX2_C_CYCLES", 1u},
        std::tuple{"alpha-ev5", "PF5_MUX0_CYCLES:freq=256", 1u}, std::tuple{"alpha-pca56", "PF5_MUX0_CYCLES", 1u},
        std::tuple{"alpha-ev6", "PF6_MUX1_CYCLES", 1u}, std::tuple{"alpha-ev67", "CYCLES0", 1u}}) {
    const EventCounts counted = count(target, recorded_trace("strhash"), {event});
    const std::uint64_t cycles = counted.result.end_cycle - counted.result.first_cycle;
    ASSERT_GT(cycles, 70'000u);  // more than the 16 bits of a counter
    EXPECT_EQ(counted.counts[0].value, per_event * cycles) << target << " " << event;
  }
}

// docs/targets/alpha.md: while the clock is stopped nothing counts.
TEST(AlphaCounts, CyclesOfAStoppedClockAreNone) {
  for (const auto& [target, event, per_event] :
       {std::tuple{"alpha-ev4", "PF_CYCLES", 2u}, std::tuple{"alpha-ev5", "PF5_MUX0_CYCLES", 1u},
        std::tuple{"alpha-pca56", "PF5_MUX2_C_CYCLES", 1u}, std::tuple{"alpha-ev6", "PF6_MUX1_CYCLES", 1u},
        std::tuple{"alpha-ev67", "CYCLES0", 1u}}) {
    const EventCounts counted = count(target, micro_trace("stopped"), {event});
    const std::uint64_t cycles = counted.result.end_cycle - counted.result.first_cycle;
    EXPECT_EQ(counted.counts[0].value, per_event * (cycles - 320 - 640)) << target << " " << event;
  }
}

// R73: single issues are twice the issues minus the dual issues, and issues and non-issues add up to all cycles.
TEST(AlphaCounts, HalvesOfTheEv4) {
  const EventCounts issues = count("alpha-ev4", recorded_trace("units"), {"PF_ISSUES", "PF_DUAL"});
  const EventCounts idle = count("alpha-ev4", recorded_trace("units"), {"PF_NONISSUES"});
  const std::uint64_t cycles = issues.result.end_cycle - issues.result.first_cycle;
  EXPECT_TRUE(issues.counts[0].halves);
  EXPECT_EQ(issues.counts[0].value + idle.counts[0].value, 2 * cycles);
  EXPECT_GE(issues.counts[0].value, issues.counts[1].value);
}

// S24 to S27, S20, S22: every cycle is exactly one of these kinds.
TEST(AlphaCounts, CyclesOfTheEv5ArePartitioned) {
  std::uint64_t sum = 0, cycles = 0;
  for (const char* kind : {"NON_ISSUE_CYCLES", "PIPELINE_DRY", "SINGLE_ISSUE_CYCLES", "DUAL_ISSUE_CYCLES",
                           "TRIPLE_ISSUE_CYCLES", "QUAD_ISSUE_CYCLES"}) {
    const EventCounts counted =
        count("alpha-ev5", recorded_trace("units"), {std::string("PF5_MUX1_") + kind, "PF5_MUX0_CYCLES"});
    sum += counted.counts[0].value;
    cycles = counted.counts[1].value;
  }
  EXPECT_EQ(sum, cycles);
}

/// A trace of additions, `masked` of them with interrupts masked; they retire one after the other at any latency.
std::string additions_masked(std::uint64_t before, std::uint64_t masked, std::uint64_t behind) {
  std::string text = "! isa alpha\n";
  std::uint64_t at = 0x120000000;
  const auto add = [&](std::uint64_t number) {
    for (; number != 0; --number, at += 4) text += fmt::format("{:x} 0114e043 itlb=hit\n", at);
  };
  add(before);
  text += "! ipl 7\n";
  add(masked);
  text += "! ipl 0\n";
  add(behind);
  return text;
}

// 10,000 additions, 6,000 of them at IPL 7, with an interrupt every 256: the count is that of the program. The
// interrupts that fall due while masked merge into one, so the driver misses whole periods: the whole periods of the
// masked part minus the pending one, or one more, depending on the phase of the period.
TEST(AlphaCounts, MaskedInterruptsLoseNoEvent) {
  struct Chip {
    const char* target;
    const char* event;
    std::uint64_t period;
  };
  for (const Chip& chip :
       {Chip{"alpha-ev4", "PF_INTOPS:freq=256", 256}, Chip{"alpha-ev5", "PF5_MUX1_INTEGER_OPERATE:freq=256", 256},
        Chip{"alpha-pca56", "PF5_MUX0_ISSUES:freq=256", 256}}) {
    const std::string name = chip.target;
    const std::string file = ::testing::TempDir() + "masked-" + name + ".txt";
    std::ofstream(file) << additions_masked(2000, 6000, 2000);
    const EventCounts counted = count(name, file, {chip.event});
    const ExtendedCount& got = counted.counts[0];
    const std::uint64_t units = got.halves ? 2 : 1;
    EXPECT_EQ(got.value, 10000 * units) << name;
    ASSERT_TRUE(got.driver) << name;
    const DriversCount& driver = *got.driver;
    EXPECT_EQ(driver.period, chip.period);
    EXPECT_EQ(driver.interrupts + driver.lost + (driver.pending ? 1 : 0), 10000 / chip.period) << name;
    EXPECT_GE(driver.lost, 6000 / chip.period - 1) << name;
    EXPECT_LE(driver.lost, 6000 / chip.period) << name;
    const std::uint64_t rest = name == "alpha-ev4" ? 0 : 10000 % chip.period;
    EXPECT_EQ(driver.value, (driver.interrupts * chip.period + rest) * units) << name;
  }
}

}  // namespace
}  // namespace pmusim::testbench
