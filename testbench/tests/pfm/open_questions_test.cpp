// Points that the 21264's documents leave open and that a program can observe through the device: its calls on modelled
// processors, with either value of the parameter.
#include "modelled.h"

namespace pmusim::testbench::pfm {
namespace {

constexpr std::uint64_t full = 1u << PF6_C1_WIDTH;
/// The argument of a call: the selected counters, their processor, and their values.
pmctrs_ev6 which(unsigned select, unsigned cpu = PMCTRS_ALL_CPUS, std::uint64_t c0 = 0, std::uint64_t c1 = 0) {
  pmctrs_ev6 w{};
  w.pmctrs_ev6_select = select & 3;
  w.pmctrs_ev6_cpu = cpu & 0xFF;
  w.pmctrs_ev6_cntr0 = c0 & (full - 1);
  w.pmctrs_ev6_cntr1 = c1 & (full - 1);
  return w;
}
constexpr unsigned counter_0 = PF6_SEL_COUNTER_0, counter_1 = PF6_SEL_COUNTER_1, both = counter_0 | counter_1;

/// A processor that executes two thousand additions, and a program that has opened the device. No counter is enabled.
struct Program : Modelled {
  Program(std::string_view name, std::string_view parameter, std::int64_t value)
      : Modelled(name, ProgramText().additions(2000), {{parameter, value}}) {
    open();
    EXPECT_EQ(Modelled::call(PCNTRENABLE), 0);  // ticks are delivered to the device from here on
    call(PCNT6DISABLE, which(both));
  }
  template <class T>
  void call(std::uint32_t request, T argument) {
    EXPECT_EQ(Modelled::call(request, argument), 0) << std::hex << request;
  }
  [[nodiscard]] pmctrs_ev6 counters() {
    pmctrs_ev6 values = which(both, 0);
    EXPECT_EQ(machine->device().ioctl(process, descriptor, PCNT6GETCNTRS, &values), 0);
    return values;
  }
  [[nodiscard]] unsigned long ticks_of_second() { return data<pfcntrs_ev6>(PCNT6GETCNT).pf_cntr1; }
  /// Runs the processor; returns the number of cycles that it executed.
  Cycle run(Cycle cycles) {
    const Cycle before = machine->processor(0).cycles();
    machine->run(cycles);
    EXPECT_GT(machine->processor(0).cycles(), before);
    return machine->processor(0).cycles() - before;
  }
};

class OpenQuestions : public testing::TestWithParam<const char*> {};

// A counter of cycles adds one each cycle, including the cycle before the read. The value read differs from the value
// held.
TEST_P(OpenQuestions, AReadOfACounterThatIsOff) {
  constexpr std::uint64_t start = 100;
  for (const std::int64_t incremented : {0, 1}) {
    Program p(GetParam(), "pmu.counter_read", incremented);
    p.call(PCNT6MUX, PF6_MUX1_CYCLES);
    p.call(PCNT6SETCNTRS, which(both, PMCTRS_ALL_CPUS, 0, start));
    EXPECT_EQ(p.counters().pmctrs_ev6_cntr1, start) << "as written";
    p.run(40);
    EXPECT_EQ(p.counters().pmctrs_ev6_cntr1, start + static_cast<std::uint64_t>(incremented));
    p.call(PCNT6ENABLE, which(counter_1));
    const Cycle counted = p.run(40);
    EXPECT_EQ(p.counters().pmctrs_ev6_cntr1, start + counted) << "while it counts";
    p.call(PCNT6DISABLE, which(counter_1));
    p.run(40);
    EXPECT_EQ(p.counters().pmctrs_ev6_cntr1, start + counted + static_cast<std::uint64_t>(incremented));
  }
}

// PCTR_CTL is written while a disabled counter is one event before its overflow: this makes a request, which PALcode's
// enables in IER_CM hold back until the counter is enabled. If those bits are not the enables, the interrupt comes at
// once and is dismissed, because the counter is disabled. Additions have no replay trap, so that nothing else
// overflows.
TEST_P(OpenQuestions, ARequestOfACounterThatIsOff) {
  for (const std::int64_t elsewhere : {0, 1}) {
    Program p(GetParam(), "pmu.ier_cm_pc", elsewhere);
    const long traps =
        std::string_view(GetParam()) == "alpha-ev6" ? PF6_MUX1_REPLAY_TRAP : PF67_CYCLES_AND_REPLAY_TRAPS;
    p.call(PCNT6MUX, traps);
    p.call(PCNT6SETCNTRS, which(counter_1, PMCTRS_ALL_CPUS, 0, full - 1));
    p.call(PCNT6MUX, traps);
    p.run(1000);
    EXPECT_EQ(p.ticks_of_second(), 0u) << "it is off";
    p.call(PCNT6ENABLE, which(counter_1));
    p.run(1000);
    EXPECT_EQ(p.counters().pmctrs_ev6_cntr1, full - 1);
    EXPECT_EQ(p.ticks_of_second(), elsewhere == 0 ? 1u : 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, OpenQuestions, testing::Values("alpha-ev6", "alpha-ev67"), [](const auto& info) {
  return std::string(info.param).substr(std::string_view("alpha-").size());
});

}  // namespace
}  // namespace pmusim::testbench::pfm
