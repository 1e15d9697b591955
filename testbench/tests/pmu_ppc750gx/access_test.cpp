// Access rights of the SPRs, and the values read back. User's Manual Table 11-1 and p. 350.
#include "testbench/tests/pmu_ppc750gx/bench.h"

namespace pmusim::testing {
namespace {

using pmu::Fault;

constexpr std::uint32_t monitor_sprs[] = {952, 953, 954, 955, 956, 957, 958};

TEST(Access, SupervisorRegistersFromBothStates) {
  for (const std::uint32_t number : monitor_sprs) {
    auto m = make_750();
    const std::uint32_t value = number == 956 ? 0xffc0'0000 : 0x1234'0000 + number;
    EXPECT_EQ(m->write(spr(number), value, user).fault, Fault::privileged_instruction);
    EXPECT_EQ(m->read(spr(number), user).fault, Fault::privileged_instruction);
    EXPECT_EQ(get(*m, spr(number)), 0u) << "a faulting write changes nothing";
    EXPECT_EQ(m->write(spr(number), value, supervisor).fault, Fault::none);
    EXPECT_EQ(get(*m, spr(number)), value);
  }
}

TEST(Access, UserCopiesAreViewsAndReadOnly) {
  for (const std::uint32_t number : monitor_sprs) {
    auto m = make_750();
    const std::uint32_t value = 0xabc0'0000;
    put(*m, spr(number), value);
    for (const Accessor who : {supervisor, user}) {
      const auto seen = m->read(spr(number - 16), who);
      EXPECT_EQ(seen.fault, Fault::none);
      EXPECT_EQ(seen.value, value);
      EXPECT_EQ(m->write(spr(number - 16), 0, who).fault, Fault::illegal_instruction);
    }
    EXPECT_EQ(get(*m, spr(number)), value);
  }
}

TEST(Access, FaultTypesAreParameters) {
  EXPECT_EQ(make_750({{"pmu.supervisor_fault", "illegal"}})->read(mmcr0, user).fault, Fault::illegal_instruction);
}

TEST(Access, MissingRegisters) {
  auto m = make_750();
  auto lenient = make_750({{"pmu.missing_spr_fault", "none"}});
  for (const std::uint32_t number : {959u, 943u}) {
    EXPECT_EQ(m->read(spr(number), supervisor).fault, Fault::illegal_instruction);
    EXPECT_EQ(m->write(spr(number), 1, supervisor).fault, Fault::illegal_instruction);
    put(*lenient, spr(number), 0xffff'ffff);
    EXPECT_EQ(get(*lenient, spr(number)), 0u);
  }
  for (const std::uint32_t number : {935u, 951u, 960u, 0u}) {
    EXPECT_EQ(lenient->read(spr(number), supervisor).fault, Fault::illegal_instruction) << number;
  }
  EXPECT_EQ(m->read({pmu::Space::msr, 952}, supervisor).fault, Fault::illegal_instruction);
}

TEST(Access, ReservedBitsOfMmcr1) {
  auto m = make_750();
  put(*m, mmcr1, 0xffff'ffff);
  EXPECT_EQ(get(*m, mmcr1), 0xffc0'0000u);
  auto keeps = make_750({{"pmu.mmcr1_reserved", "keep"}});
  put(*keeps, mmcr1, 0xffff'ffff);
  EXPECT_EQ(get(*keeps, mmcr1), 0xffff'ffffu);
}

TEST(Access, BreakpointRegisterIsSupervisorOnly) {
  auto m = make_750();
  put(*m, iabr, 0x1003);
  EXPECT_EQ(get(*m, iabr), 0x1003u);
  EXPECT_EQ(m->read(iabr, user).fault, Fault::privileged_instruction);
  EXPECT_EQ(m->write(iabr, 0, user).fault, Fault::privileged_instruction);
}

TEST(Access, TimeBaseIsReadAndWrittenByDifferentNumbers) {
  auto m = make_750();
  put(*m, tbuw, 0x12);
  put(*m, tblw, 0x3456'789a);
  for (const Accessor who : {supervisor, user}) {
    EXPECT_EQ(m->read(tbl, who).value, 0x3456'789au);
    EXPECT_EQ(m->read(tbu, who).value, 0x12u);
    EXPECT_EQ(m->write(tbl, 0, who).fault, Fault::illegal_instruction);
  }
  EXPECT_EQ(m->write(tblw, 0, user).fault, Fault::privileged_instruction);
  EXPECT_EQ(m->read(tblw, supervisor).fault, Fault::illegal_instruction);
}

TEST(Access, ResetClearsUnlessTold) {
  for (const bool keeps : {false, true}) {
    auto m = keeps ? make_750({{"pmu.hreset", "keep"}}) : make_750();
    for (const std::uint32_t number : monitor_sprs) put(*m, spr(number), 0x8640'0000);
    put(*m, pmc1, 0x8000'0000);
    put(*m, mmcr0, enint | pmc1intcontrol);
    consume_in(*m, HandMade(1).block(), 1, false);
    EXPECT_TRUE(m->interrupt_pending());
    m->reset();
    EXPECT_FALSE(m->interrupt_pending());
    for (const std::uint32_t number : monitor_sprs) EXPECT_EQ(get(*m, spr(number)) != 0, keeps) << number;
  }
}

TEST(Access, EveryRegisterOfTheListIsReadable) {
  auto m = make_750();
  for (const pmu::RegisterInfo& info : m->registers()) {
    EXPECT_EQ(info.width, 32u);
    if (info.id == tblw || info.id == tbuw) continue;
    EXPECT_EQ(m->read(info.id, supervisor).fault, Fault::none) << info.name;
    EXPECT_EQ(m->write(info.id, 0, supervisor).fault == Fault::none, info.writable) << info.name;
  }
  EXPECT_TRUE(m->not_modelled().empty());
}

}  // namespace
}  // namespace pmusim::testing
