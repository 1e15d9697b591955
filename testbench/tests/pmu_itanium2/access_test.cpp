// Access rights of the registers, and the bits that they keep.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

using pmu::Fault;

const Accessor kernel{0, false}, user{3, false};

TEST(Access, ValuesAfterReset) {
  auto m = make_itanium2();
  const std::uint64_t values[] = {1,
                                  0,
                                  0,
                                  0,
                                  0x800000,
                                  0,
                                  0,
                                  0,
                                  0xFFFFFFFF3FFFFFFF,
                                  0xFFFFFFFF3FFFFFFC,
                                  0,
                                  0,
                                  0,
                                  0x00002078FEFEFEFE,
                                  0x0DB60DB60DB60DB6,
                                  0x00000000FFFFFFF0};
  for (std::uint32_t n = 0; n < 16; ++n) EXPECT_EQ(get(*m, pmc(n)), values[n]) << n;
  for (std::uint32_t n = 0; n < 18; ++n) EXPECT_EQ(get(*m, pmd(n)), 0u) << n;
}

TEST(Access, WriteMasks) {
  auto m = make_itanium2();
  constexpr std::uint64_t counter = 0x0FFFFF7F, opcode = 0xFFFFFFFF3FFFFFFB;
  const std::uint64_t masks[] = {0xf1,    0,      0,      0,      counter,    counter, counter,
                                 counter, opcode, opcode, 0xFFFF, 0x030F01CF, 0xFFFF,  0x0001E00018181818,
                                 0x2492,  0xF};
  for (std::uint32_t number = 0; number < 16; ++number) {
    const std::uint64_t mask = masks[number];
    const std::uint64_t reset = get(*m, pmc(number));
    for (const std::uint64_t value : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0x5a5a'a5a5'3c3c'c3c3}}) {
      put(*m, pmc(number), value);
      EXPECT_EQ(get(*m, pmc(number)), (value & mask) | (reset & ~mask)) << number << std::hex << ' ' << value;
    }
  }
  auto stored = make_itanium2({{"pmu.reserved_bits", "stored"}});
  put(*stored, pmc(13), 0);
  EXPECT_EQ(get(*stored, pmc(13)), 0u);
}

TEST(Access, RegistersThatAreNotThere) {
  auto m = make_itanium2();
  for (const std::uint32_t n : {16u, 63u, 255u}) {
    put(*m, pmc(n), ~0ull);
    EXPECT_EQ(get(*m, pmc(n)), 0u);
  }
  put(*m, pmd(18), ~0ull);
  EXPECT_EQ(get(*m, pmd(18)), 0u);
  EXPECT_EQ(m->read(ibr(8), kernel).fault, Fault::illegal_instruction);
  EXPECT_EQ(m->read({pmu::Space::cr, 72}, kernel).fault, Fault::illegal_instruction);
  EXPECT_EQ(m->read({pmu::Space::msr, 4}, kernel).fault, Fault::illegal_instruction);
}

TEST(Access, FaultsOfLessPrivilegedCode) {
  auto m = make_itanium2();
  for (const unsigned cpl : {1u, 2u, 3u}) {
    const Accessor who{cpl, false};
    for (const RegisterId id : {pmc(0), pmc(4), pmc(200), ibr(0), dbr(7), pmv}) {
      EXPECT_EQ(m->read(id, who).fault, Fault::privileged_instruction) << id.number;
      EXPECT_EQ(m->write(id, 0, who).fault, Fault::privileged_instruction) << id.number;
    }
    for (const RegisterId id : {pmd(4), pmd(0), pmd(200)}) {
      EXPECT_EQ(m->read(id, who).fault, Fault::none);
      EXPECT_EQ(m->write(id, 1, who).fault, Fault::privileged_instruction);
    }
  }
}

TEST(Access, WhatLessPrivilegedCodeReads) {
  // Table of SDM volume 2: a read returns the contents only if PSR.sp = 0 and pm = 0.
  for (const bool sp : {false, true}) {
    for (const bool privileged : {false, true}) {
      auto m = make_itanium2();
      const std::uint64_t bit = privileged ? pm : 0;
      for (std::uint32_t n = 4; n < 8; ++n) put(*m, pmc(n), bit);
      put(*m, pmc(10), privileged ? 0x10 : 0);
      put(*m, pmc(11), bit);
      put(*m, pmc(12), bit);
      for (std::uint32_t n = 0; n < 18; ++n) put(*m, pmd(n), 0x21);
      Activity activity(1);
      activity.state(State::psr, sp ? psr::sp : 0);
      m->consume(activity.block(), 0, 1);
      for (std::uint32_t n = 0; n < 18; ++n) {
        EXPECT_EQ(m->read(pmd(n), kernel).value, 0x21u) << n;
        EXPECT_EQ(m->read(pmd(n), user).value, sp || privileged ? 0u : 0x21u) << n;
      }
    }
  }
  auto m = make_itanium2({{"pmu.pmd_filter", "counters"}});
  put(*m, pmc(11), pm);
  put(*m, pmd(2), 7);
  EXPECT_EQ(m->read(pmd(2), user).value, 7u);
}

TEST(Access, CodeBreakpointsAreSaidNotToBeModelled) {
  const auto monitor = make_itanium2();
  constexpr std::uint64_t execute = std::uint64_t{1} << 63, compared = 0x00ffffffffffffff;
  put(*monitor, ibr(3), compared);
  EXPECT_TRUE(monitor->not_modelled().empty());
  put(*monitor, ibr(2), execute);  // an address
  EXPECT_TRUE(monitor->not_modelled().empty());
  put(*monitor, ibr(3), execute | compared);
  ASSERT_EQ(monitor->not_modelled().size(), 1u);
  EXPECT_NE(monitor->not_modelled()[0].find("IBR3"), std::string::npos);
  put(*monitor, dbr(1), execute | compared);  // counted
  EXPECT_EQ(monitor->not_modelled().size(), 1u);
}

TEST(Access, CountersReadSignExtended) {
  auto m = make_itanium2();
  const std::pair<std::uint64_t, std::uint64_t> rows[] = {{0x3fff'ffff'ffff, 0x3fff'ffff'ffff},
                                                          {0x4000'0000'0000, 0xffff'c000'0000'0000},
                                                          {0x7fff'ffff'ffff, 0xffff'ffff'ffff'ffff},
                                                          {0x8000'0000'0001, 1},
                                                          {0xffff'8000'0000'0001, 1}};
  for (const auto& [written, read] : rows) {
    for (std::uint32_t n = 4; n < 8; ++n) {
      put(*m, pmd(n), written);
      EXPECT_EQ(get(*m, pmd(n)), read) << std::hex << written;
    }
  }
}

TEST(Access, BitsOfDataRegisters) {
  auto m = make_itanium2();
  const std::pair<std::uint32_t, std::uint64_t> rows[] = {
      {0, 0xffff'ffff'ffff'ffe3}, {1, 0x1fff}, {2, ~0ull}, {3, 0xffff}, {8, ~0ull}, {15, ~0ull},
      {16, 0x3'3333'333f},        {17, ~0ull}};
  for (const auto& [number, bits] : rows) {
    put(*m, pmd(number), ~0ull);
    EXPECT_EQ(get(*m, pmd(number)), bits) << number;
  }
}

TEST(Access, WriteOfAProgramHoldsFromTheNextCycle) {
  auto m = counting({event(cycles) | any_level});
  Activity activity(4);
  pmu::AccessResult result;
  m->consume(activity.block(), 0, 1);
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  m->consume_with_write(activity.block(), 1, pmd(4), 100, kernel, result);
  EXPECT_EQ(get(*m, pmd(4)), 100u) << "its own cycle's increment is lost";
  m->consume_with_write(activity.block(), 2, pmc(0), 1, kernel, result);
  EXPECT_EQ(get(*m, pmd(4)), 101u) << "frozen from the next cycle on";
  m->consume(activity.block(), 3, 4);
  EXPECT_EQ(get(*m, pmd(4)), 101u);
}

}  // namespace
}  // namespace pmusim::testing
