// The culprit that the recorder charges, for hand-written reports; and fields changed to neighbouring values.
#include "testbench/explain/recorder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "testbench/explain/explanation.h"

namespace pmusim::testbench {

namespace {

using activity::Signal;
using pmu::Step;

/// A block with an instruction at 0x100 (with a request to 0x8000) and one at 0x104.
pmu::Block block() {
  pmu::Block b;
  b.end = 100;
  b.instructions.resize(2);
  b.instructions[0].ip = 0x100;
  b.instructions[1].ip = 0x104;
  b.requests.resize(2);
  b.requests[0].ip = 0x100;
  b.requests[0].has_instruction = true;
  b.requests[0].address = 0x8000;
  b.requests[1].address = 0x9000;
  return b;
}
constexpr Culprit first{0x100, 0, true}, second{0x104, 0, true}, unnamed{};

TEST(Recorder, ChargesEachCycleToItsOwn) {
  Recorder r(1);
  const pmu::Block b = block();
  r.named(0, b, Signal::retire, {3, 0, 2, 0}, 2);
  r.named(0, b, Signal::retire, {3, 1, 1, 0}, 1);
  r.named(0, b, Signal::dcache_lookup, {2, 0, 1, 0}, 1);  // another signal, reported later, of an earlier cycle
  r.named(0, b, Signal::dcache_lookup, {4, 1, 1, 0}, 1);
  for (const pmu::Run& run : {pmu::Run{0, 2, 0}, pmu::Run{2, 3, 1}, pmu::Run{3, 4, 3}, pmu::Run{4, 6, 1}})
    r.left(0, Step::added, run);
  const CounterRecord& record = r.counter(0);
  EXPECT_EQ(record.by_culprit, (std::map<Culprit, std::uint64_t>{{unnamed, 1}, {first, 3}, {second, 1}}));
  EXPECT_EQ(record.by_address, (std::map<std::uint64_t, std::uint64_t>{{0x8000, 1}, {0x9000, 1}}));
  EXPECT_EQ(record.unnamed, 1u);  // cycle 5
  EXPECT_EQ(record.since, 6u);
}

// Two occurrences in a cycle that adds one: the first is charged, and the other is not charged to a later cycle.
TEST(Recorder, ACycleThatAddsLess) {
  Recorder r(1);
  const pmu::Block b = block();
  r.named(0, b, Signal::retire, {3, 1, 1, 0}, 1);
  r.named(0, b, Signal::retire, {3, 0, 1, 0}, 1);
  r.left(0, Step::added, {3, 4, 1});
  r.left(0, Step::added, {4, 5, 1});
  EXPECT_EQ(r.counter(0).by_culprit, (std::map<Culprit, std::uint64_t>{{second, 1}}));
  EXPECT_EQ(r.counter(0).unnamed, 1u);
}

// A count that is carried into later cycles is charged to the culprit of the original cycle.
TEST(Recorder, WhatIsCarried) {
  Recorder r(1);
  const pmu::Block b = block();
  r.named(0, b, Signal::retire, {3, 0, 1, 0}, 1);
  r.named(0, b, Signal::retire, {3, 1, 1, 0}, 1);
  for (const pmu::Cycle at : {3, 4}) {
    r.left(0, Step::carried, {at, at + 1, 1});
    r.left(0, Step::added, {at, at + 1, 1});
  }
  EXPECT_EQ(r.counter(0).by_culprit, (std::map<Culprit, std::uint64_t>{{first, 1}, {second, 1}}));
  EXPECT_EQ(r.counter(0).unnamed, 0u);
}

TEST(Recorder, AWriteBeginsAnew) {
  Recorder r(1);
  r.left(0, Step::added, {0, 5, 1});
  r.written(0, 70);
  r.left(0, Step::added, {5, 7, 1});
  EXPECT_EQ(r.counter(0).base, 70u);
  EXPECT_EQ(r.counter(0).since, 2u);
  EXPECT_EQ(r.counter(0).overwritten, 5u);
  EXPECT_EQ(r.counter(0).left_after(Step::added), 7u);
}

std::vector<std::uint64_t> values_of(const std::vector<NeighbourRegisters>& all, const std::string& field) {
  std::vector<std::uint64_t> values;
  for (const NeighbourRegisters& one : all) {
    if (one.from.name == field) values.push_back(one.to.value);
  }
  return values;
}

// PerfEvtSel0 = 0x4300c0: EVENT has 8 bits, OS one, CNT_MASK 8.
TEST(Neighbours, OneFieldOfOneRegister) {
  const std::vector<encoder::RegisterValue> registers{{"msr", 0xc0010000, "PerfEvtSel0", 64, 0x4300c0}};
  const auto all = neighbours_of("athlon", false, registers);
  EXPECT_EQ(values_of(all, "OS"), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(values_of(all, "EVENT"), (std::vector<std::uint64_t>{0x40, 0x80, 0xc1, 0xc2, 0xc4, 0xc8, 0xd0, 0xe0}));
  EXPECT_EQ(values_of(all, "CNT_MASK").size(), 8u);
  EXPECT_EQ(all.size(), 8u + 8u + 8u + 7u);
  for (const NeighbourRegisters& one : all) {
    const std::uint64_t changed = one.registers[0].value ^ 0x4300c0;
    EXPECT_NE(changed, 0u);
    if (one.from.name == "OS") {
      EXPECT_EQ(changed, 0x20000u);
    }
  }
}

// Bit 0 is the most significant bit: PMC1SELECT is bits 19:25, DIS bit 0.
TEST(Neighbours, PowerPcNumbering) {
  const std::vector<encoder::RegisterValue> registers{{"spr", 952, "MMCR0", 32, 0}};
  for (const NeighbourRegisters& one : neighbours_of("ppc750gx", true, registers)) {
    if (one.from.name == "DIS") {
      EXPECT_EQ(one.registers[0].value, 0x80000000u);
    }
    if (one.from.name == "PMC1SELECT") {
      EXPECT_EQ(one.registers[0].value, one.to.value << 6);
    }
  }
}

// The names of steps must match their enum, in its order.

TEST(ExplainNames, AreTheEnums) {
  std::ifstream in(PMUSIM_SOURCE_DIR "/models/pmu/probe.h");
  const std::string header(std::istreambuf_iterator<char>(in), {});
  std::size_t at = header.find("enum class Step ");
  for (std::size_t i = 0; i < pmu::step_count; ++i) {
    at = header.find("\n  " + std::string(name_of(static_cast<pmu::Step>(i))) + ",", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
  EXPECT_LT(at, header.find("\n  count_", at));
}

}  // namespace

}  // namespace pmusim::testbench
