// Access rights of the registers, and the values read back. 22007 Rev. E pp. 162-168.
#include "testbench/tests/pmu_athlon/bench.h"

namespace pmusim::testing {
namespace {

using pmu::Fault;

TEST(Access, MsrsAreForTheMostPrivilegedLevel) {
  for (unsigned i = 0; i < 4; ++i) {
    for (const RegisterId id : {perf_evt_sel(i), perf_ctr(i), tsc}) {
      auto m = make_k7();
      for (const unsigned cpl : {1u, 2u, 3u}) {
        EXPECT_EQ(m->read(id, {cpl, true}).fault, Fault::general_protection);
        EXPECT_EQ(m->write(id, 5, {cpl, true}).fault, Fault::general_protection);
      }
      EXPECT_EQ(get(*m, id), 0u);
      put(*m, id, 0x0013'0012);
      EXPECT_EQ(get(*m, id), 0x0013'0012u);
    }
  }
}

TEST(Access, ReservedBitsOfPerfEvtSel) {
  for (unsigned i = 0; i < 4; ++i) {
    auto m = make_k7();
    put(*m, perf_evt_sel(i), ~0ull);
    EXPECT_EQ(get(*m, perf_evt_sel(i)), 0xffdf'ffffu);
    auto keeps = make_k7({{"pmu.reserved_bits", "bit21_kept"}});
    put(*keeps, perf_evt_sel(i), ~0ull);
    EXPECT_EQ(get(*keeps, perf_evt_sel(i)), 0xffff'ffffu);
  }
}

TEST(Access, MsrsThatAreNotThere) {
  auto m = make_k7();
  auto lenient = make_k7({{"pmu.unknown_msr", "zero"}});
  for (const std::uint32_t number : {0xc001'0008u, 0xc000'ffffu, 0x186u}) {
    const RegisterId id{pmu::Space::msr, number};
    EXPECT_EQ(m->read(id, {}).fault, Fault::general_protection);
    EXPECT_EQ(m->write(id, 1, {}).fault, Fault::general_protection);
    put(*lenient, id, 1);
    EXPECT_EQ(get(*lenient, id), 0u);
    EXPECT_EQ(lenient->read(id, {3, true}).fault, Fault::general_protection);
  }
}

TEST(Access, CounterHolds48Bits) {
  const std::uint64_t values[] = {0x7fff'ffff'ffff, 0xffff'8000'0000'0000, ~0ull,  // in range
                                  0x8000'0000'0000, 0x0001'0000'0000'0000, 0xffff'7fff'ffff'ffff,
                                  1ull << 63};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    auto m = make_k7();
    put(*m, perf_ctr(2), values[i]);
    EXPECT_EQ(get(*m, perf_ctr(2)), values[i] % two48);
    auto strict = make_k7({{"pmu.counter_write", "fault"}});
    EXPECT_EQ(strict->write(perf_ctr(2), values[i], {}).fault, i < 3 ? Fault::none : Fault::general_protection);
    EXPECT_EQ(get(*strict, perf_ctr(2)), i < 3 ? values[i] % two48 : 0);
  }
}

TEST(Access, ReadOfANegativeCounter) {
  auto m = make_k7();
  auto extends = make_k7({{"pmu.counter_read", "sign_extend"}});
  for (auto* each : {m.get(), extends.get()}) {
    put(*each, perf_ctr(0), ~0ull - 4);
    put(*each, perf_ctr(1), 5);
  }
  EXPECT_EQ(get(*m, perf_ctr(0)), two48 - 5);
  EXPECT_EQ(get(*extends, perf_ctr(0)), ~0ull - 4);
  EXPECT_EQ(get(*extends, perf_ctr(1)), 5u);
  EXPECT_EQ(get(*extends, rdpmc(0)), two48 - 5) << "RDPMC always extends with zeros";
}

TEST(Access, Rdpmc) {
  auto m = make_k7();
  for (unsigned i = 0; i < 4; ++i) put(*m, perf_ctr(i), 100 + i);
  for (const unsigned cpl : {0u, 1u, 2u, 3u}) {
    for (const bool pce : {false, true}) {
      for (unsigned i = 0; i < 4; ++i) {
        const auto result = m->read(rdpmc(i), {cpl, pce});
        const bool allowed = cpl == 0 || pce;
        EXPECT_EQ(result.fault, allowed ? Fault::none : Fault::general_protection) << cpl << pce;
        EXPECT_EQ(result.value, allowed ? 100 + i : 0);
      }
      for (const std::uint32_t number : {4u, 5u, 0x4000'0000u, 0x8000'0000u, 0xffff'ffffu}) {
        EXPECT_EQ(m->read(rdpmc(number), {cpl, pce}).fault, Fault::general_protection) << number;
      }
      EXPECT_EQ(m->write(rdpmc(0), 1, {cpl, pce}).fault, Fault::general_protection);
    }
  }
}

TEST(Access, ApicEntry) {
  auto m = make_k7();
  EXPECT_EQ(get(*m, lvtpc), lvt_masked) << "masked at RESET";
  put(*m, lvtpc, 0xffff'ffff);
  EXPECT_EQ(get(*m, lvtpc), 0x0001'07ffu) << "delivery status is read-only, the rest reserved";
  EXPECT_EQ(m->read({pmu::Space::apic, 0x350}, {}).fault, Fault::general_protection);
  auto without = make_k7({{"pmu.has_apic", "no"}});
  put(*without, lvtpc, 0x400);
  EXPECT_EQ(get(*without, lvtpc), 0u);
}

TEST(Access, DebugRegisters) {
  auto m = make_k7();
  for (const unsigned i : {0u, 1u, 2u, 3u}) {
    put(*m, dr(i), 0x1234'5678 + i);
    EXPECT_EQ(get(*m, dr(i)), 0x1234'5678 + i);
    EXPECT_EQ(m->read(dr(i), {3, true}).fault, Fault::general_protection);
    EXPECT_EQ(m->write(dr(i), 0, {1, true}).fault, Fault::general_protection);
  }
  EXPECT_EQ(get(*m, dr(7)), 0x400u);
  put(*m, dr(7), 0xffff'ffff);
  EXPECT_EQ(get(*m, dr(7)), 0xffff'27ffu);
  EXPECT_EQ(m->read(dr(6), {}).fault, Fault::general_protection);
}

TEST(Access, Reset) {
  for (const bool keeps : {false, true}) {
    auto m = keeps ? make_k7({{"pmu.reset", "keep"}}) : make_k7();
    for (unsigned i = 0; i < 4; ++i) {
      put(*m, perf_evt_sel(i), all_rings | clocks);
      put(*m, perf_ctr(i), 7);
    }
    put(*m, tsc, 9);
    m->reset();
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(get(*m, perf_evt_sel(i)), keeps ? all_rings | clocks : 0);
      EXPECT_EQ(get(*m, perf_ctr(i)), keeps ? 7u : 0u);
    }
    EXPECT_EQ(get(*m, tsc), keeps ? 9u : 0u);
  }
}

TEST(Access, TimeStampCounter) {
  HandMade activity(20);
  activity.change(State::clock, 5, 0).change(State::clock, 15, 1);
  auto m = make_k7();
  put(*m, tsc, 0xffff'ffff);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, tsc), 0xffff'ffffull + 20);
  auto stops = make_k7({{"pmu.tsc_in_halt", "stops"}});
  consume_both(*stops, activity.block());
  EXPECT_EQ(get(*stops, tsc), 10u);
}

TEST(Access, EveryRegisterOfTheListIsReadable) {
  auto m = make_k7();
  for (const pmu::RegisterInfo& info : m->registers()) {
    EXPECT_EQ(m->read(info.id, {}).fault, Fault::none) << info.name;
    EXPECT_EQ(m->write(info.id, 0, {}).fault == Fault::none, info.writable) << info.name;
  }
  EXPECT_TRUE(m->not_modelled().empty());
}

TEST(Parameters, EachHasADefaultThatIsAChoiceAndNoneIsConfirmed) {
  const models::Parameters parameters = pmu::athlon_pmu_parameters();
  EXPECT_EQ(parameters.infos().size(), 38u);
  for (const models::ParameterInfo& info : parameters.infos()) {
    EXPECT_TRUE(info.name.starts_with("pmu.")) << info.name;
    EXPECT_FALSE(info.confirmed) << info.name;
    EXPECT_FALSE(info.meaning.empty() || info.source.empty()) << info.name;
    if (info.unit == "clocks") continue;  // a number
    EXPECT_GE(info.choices.size(), 2u) << info.name;
    EXPECT_EQ(info.choices.front().value, info.default_value) << info.name << ": the default comes first";
  }
}

}  // namespace
}  // namespace pmusim::testing
