// Edges of time base bits: a tick every four bus clocks, an edge of the bit of weight 2^k every 2^(k+1) ticks.
#include "testbench/oracle/time_base.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "machine.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT

constexpr std::uint64_t ratio(std::uint64_t core, std::uint64_t bus) { return core << 16 | bus; }

std::uint64_t edges(const Block& block, unsigned bit, std::uint32_t start = 0,
                    const ParameterLookup& parameters = Values()) {
  Request request;
  request.event = "TBL_BIT_TRANSITIONS";
  request.time_base_bit = bit;
  request.time_base = start;
  return count("ppc750gx", request, block, parameters).expected;
}

Script at_ratio(Cycle length, std::uint64_t packed) {
  Script script(length);
  script.state(State::bus_ratio, 0, packed);
  return script;
}

TEST(TimeBase, EveryBit) {
  const std::uint32_t masks[] = {0x1, 0x100, 0x1000, 0x10000};
  for (unsigned bit = 0; bit < 4; ++bit) {
    const Cycle tick = 16, first = masks[bit] * tick, period = 2 * first;
    EXPECT_EQ(edges(at_ratio(first, ratio(4, 1)).block, bit), 0u);
    EXPECT_EQ(edges(at_ratio(first + 1, ratio(4, 1)).block, bit), 1u);
    EXPECT_EQ(edges(at_ratio(first + 3 * period, ratio(4, 1)).block, bit), 3u);
    EXPECT_EQ(edges(at_ratio(first + 3 * period + 1, ratio(4, 1)).block, bit), 4u);
    // The other interpretation of the selection lists the bits in reverse order.
    EXPECT_EQ(edges(at_ratio(first + 1, ratio(4, 1)).block, 3 - bit, 0, Values{{"pmu.tb_select", 1}}), 1u);
  }
}

Script with_write(Cycle length, Cycle at, std::uint32_t value) {
  Script script = at_ratio(length, ratio(4, 1));
  activity::RegisterAccess access;
  access.at = static_cast<std::uint32_t>(at);
  access.write = true;
  access.value = value;
  std::strcpy(access.name.data(), "TBLW");
  script.block.accesses.push_back(access);
  return script;
}

TEST(TimeBase, ALongTimeOfNothingElse) {
  const Cycle length = 1'000'000'000'000'003, tick = 10;
  for (const auto& [bit, mask] : {std::pair{0u, 0x1u}, {1u, 0x100u}, {2u, 0x1000u}, {3u, 0x10000u}}) {
    EXPECT_EQ(edges(at_ratio(length, ratio(5, 2)).block, bit), ((length - 1) / tick + mask) / (2 * mask)) << mask;
  }
  // Written in the middle: 100 ticks until then; the current tick is not restarted.
  EXPECT_EQ(edges(with_write(16 * 1'000'000, 16 * 100 + 3, 0x1fe).block, 0),
            (999'999 - 100 + 0x1fe + 1) / 2 - 0x1fe / 2 + 50);
}

TEST(TimeBase, BusClocksBetween) {
  for (const std::uint64_t packed : {ratio(4, 1), ratio(5, 2), ratio(7, 2), ratio(20, 3), ratio(1, 1)}) {
    for (Cycle after = 0; after < 50; ++after) {
      std::uint64_t begun = 0;
      for (Cycle before = after + 1; before < 120; ++before) {
        EXPECT_EQ(bus_clocks_between(after, before, packed), begun) << packed << ' ' << after << ' ' << before;
        begun += bus_clock_begins(before, packed) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(bus_clocks_between(0, 100, 0), 0u) << "a bus that does not run";
}

TEST(TimeBase, StartValue) {
  EXPECT_EQ(edges(at_ratio(17, ratio(4, 1)).block, 1, 0xff), 1u) << "0xff to 0x100";
  EXPECT_EQ(edges(at_ratio(17, ratio(4, 1)).block, 1, 0xfe), 0u);
  EXPECT_EQ(edges(at_ratio(17, ratio(4, 1)).block, 1, 0x1ff), 0u) << "the bit falls";
}

TEST(TimeBase, RatioChange) {
  // 32 cycles at 4:1 are two ticks; then 10 cycles per tick: the value is 3 from cycle 42 and 5 from cycle 62 on.
  Script script = at_ratio(63, ratio(4, 1));
  script.state(State::bus_ratio, 32, ratio(5, 2));
  EXPECT_EQ(edges(script.block, 0), 3u) << "at 16, 42, 62";
  script.block.end = 62;
  EXPECT_EQ(edges(script.block, 0), 2u);
}

TEST(TimeBase, Write) {
  EXPECT_EQ(edges(with_write(12, 5, 0x100).block, 1), 1u) << "raised by the write";
  EXPECT_EQ(edges(with_write(12, 5, 0x100).block, 1, 0x100), 0u) << "was 1 before";
  // 0xff from cycle 6 on, 0x100 at the end of the current tick, in cycle 16.
  EXPECT_EQ(edges(with_write(16, 5, 0xff).block, 1), 0u);
  EXPECT_EQ(edges(with_write(17, 5, 0xff).block, 1), 1u);
  // Written in the cycle before that tick: 0xff is in no cycle, and the tick, not the write, raises the bit.
  EXPECT_EQ(edges(with_write(17, 15, 0xff).block, 1), 1u);
}

TEST(TimeBase, NextTickIsTheFirstCycleOfANewValue) {
  for (const std::uint64_t packed : {ratio(4, 1), ratio(5, 2), ratio(7, 2), ratio(20, 3)}) {
    const TimeBase base(7, packed);
    for (Cycle at = 0; at < 300; ++at) {
      const Cycle next = base.next_tick(at);
      ASSERT_GT(next, at);
      EXPECT_EQ(base.value(next - 1), base.value(at));
      EXPECT_EQ(base.value(next), base.value(at) + 1);
    }
  }
}

}  // namespace
}  // namespace pmusim::oracle
