// Stretches in which only the counters' own interrupts occur: they are not simulated cycle by cycle, and only the run
// time shows the difference.
#include <fmt/format.h>

#include <fstream>

#include "bench.h"
#include "models/alpha/alpha.h"

namespace pmusim::testbench {
namespace {

struct Case {
  const char* target;
  std::vector<std::string> events;
};
const Case cases[] = {
    {"alpha-ev4", {"PF_CYCLES:freq=4096", "PF_EXTPIN1:freq=256"}},
    {"alpha-ev4", {"PF_NONISSUES:freq=65536", "PF_EXTPIN1:freq=4096"}},
    {"alpha-ev5", {"PF5_MUX0_CYCLES:freq=256", "PF5_MUX1_PIPELINE_DRY:freq=65536", "PF5_MUX2_C_CYCLES:freq=16384"}},
    {"alpha-pca56", {"PF5_MUX0_CYCLES:freq=65536", "PF5_MUX1_NON_ISSUE_CYCLES:freq=256"}},
    {"alpha-ev6", {"PF6_MUX0_CYCLES", "PF6_MUX1_CYCLES"}},
    {"alpha-ev67", {"CYCLES0"}},
};

/// Two idle stretches, with interrupts masked at the beginning of the second.
std::string idle_trace(std::uint64_t cycles) {
  return "! isa alpha\n10000 1f04ff47\n! idle cycles=" + std::to_string(cycles) +
         "\n10004 1f04ff47\n! ipl 7\n! idle cycles=100000\n10008 1f04ff47\n! ipl 0\n! idle cycles=" +
         std::to_string(cycles) + "\n1000c 1f04ff47\n";
}

struct Outcome {
  std::array<std::uint64_t, 3> ticks{};
  std::uint64_t interrupts = 0;
  std::vector<std::uint64_t> registers, counters, carries, wholes;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(const Case& one, const std::string& text, bool each) {
  const models::Target& target = *models::find_target(one.target);
  Programming programming(target, target.parameters());
  const auto encoding = encoder::encode(one.target, one.events, {.sampling = true});
  if (!encoding) throw std::invalid_argument(encoding.error().message);
  for (const encoder::RegisterValue& reg : encoding->registers) programming.write(reg.name, reg.value);
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = 5000;
  Session session(target, target.parameters(), options);
  TickCounter ticks(find_firmware(target.name));
  session.add_monitor(each ? MonitorSetup{programming.writes(), std::ref(ticks)} : ticks.setup(programming.writes()));
  const SessionResult result = session.run(trace::open_memory(text, "idle"));
  const MonitorResult& monitor = result.monitors[0];
  Outcome outcome;
  outcome.interrupts = monitor.interrupts;
  outcome.counters = monitor.counters;
  for (const RegisterReading& reading : monitor.registers) outcome.registers.push_back(reading.value);
  for (unsigned i = 0; i < 3; ++i) outcome.ticks[i] = ticks.ticks(i);
  for (unsigned i = 0; i < monitor.monitor->counter_count(); ++i) {
    const pmu::AlphaTotals totals = pmu::alpha_totals(*monitor.monitor, i);
    outcome.carries.push_back(totals.carries);
    outcome.wholes.push_back(totals.whole);
  }
  return outcome;
}

TEST(AlphaIdle, InterruptsAreThoseOfOneByOne) {
  for (const Case& one : cases) {
    for (const std::uint64_t cycles : {1u, 70'000u, 3'000'017u}) {
      const Outcome expected = run(one, idle_trace(cycles), true);
      EXPECT_EQ(run(one, idle_trace(cycles), false), expected) << one.target << " " << one.events[0] << " " << cycles;
      EXPECT_TRUE(cycles < 3'000'000 || expected.interrupts > 2) << one.target << " " << one.events[0];
    }
  }
}

// For every period, the cycles of a long idle time are counted, and each full period has an interrupt.
TEST(AlphaIdle, LongestTimesAreCounted) {
  struct Row {
    const char* target;
    const char* event;
    std::uint64_t period;
  };
  constexpr std::uint64_t idle = std::uint64_t{1} << 44;
  for (const Row& row :
       {Row{"alpha-ev4", "PF_CYCLES:freq=4096", 4096}, Row{"alpha-ev5", "PF5_MUX0_CYCLES:freq=256", 256},
        Row{"alpha-pca56", "PF5_MUX0_CYCLES:freq=65536", 65536}, Row{"alpha-ev6", "PF6_MUX1_CYCLES", 1u << 20},
        Row{"alpha-ev67", "CYCLES0", 1u << 20}}) {
    const std::string file = testing::TempDir() + "idle-" + row.target + ".txt";
    std::ofstream(file) << "! isa alpha\n10000 1f04ff47\n! idle cycles=" << idle << "\n10004 1f04ff47\n";
    const Counted counted = count(row.target, file, {row.event});
    const std::uint64_t cycles = counted.result.end_cycle - counted.result.first_cycle;
    const ExtendedCount& got = counted.counts[0];
    ASSERT_TRUE(got.driver) << row.target;
    EXPECT_GT(cycles, idle) << row.target;
    EXPECT_EQ(got.value / (got.halves ? 2 : 1), cycles) << row.target;
    EXPECT_EQ(got.driver->interrupts + (got.driver->pending ? 1 : 0), cycles / row.period) << row.target;
  }
}

}  // namespace
}  // namespace pmusim::testbench
