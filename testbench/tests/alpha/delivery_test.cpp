// The points at which the counters' interrupts are taken, on the real cores.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include "bench.h"
#include "models/alpha/alpha.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/tests/core_alpha/words.h"

namespace pmusim::testbench {

namespace {

using namespace alpha;  // NOLINT: words

std::unique_ptr<trace::Reader> text(const std::string& lines) {
  trace::ReadOptions options;
  options.isa = trace::Isa::alpha;
  return trace::open_text(lines, "delivery", options);
}

std::string line(std::uint64_t pc, const std::string& word, const std::string& rest = "") {
  return fmt::format("{:x} {} {} fetch=l1 itlb=hit\n", pc, word, rest);
}

/// The samples of a sampler of cycles: one in `period` clocks.
std::vector<Sample> sample_cycles(const std::string& target_name, const std::string& event, std::uint64_t period,
                                  const std::string& trace) {
  const models::Target& target = *models::find_target(target_name);
  const models::Parameters parameters = target.parameters();
  const encoder::Encoding encoding = sampling_encoding(target_name, {event});
  std::vector<Sample> samples;
  const auto sampler = find_firmware(target_name)
                           ->sampler(
                               {{encoding.events[0].counter, period}},
                               [&](const Sample& sample) { samples.push_back(sample); }, nullptr);
  Programming programming(target, parameters);
  sampler->preset(programming);
  write(programming, encoding);
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  session.add_monitor({programming.writes(), std::ref(*sampler)});
  (void)session.run(text(trace));
  return samples;
}

// Four blocks of four instructions in 16 clocks: mulq in the first clock; an addq that waits for it issues twelve
// clocks later; two shifts take two clocks, since only one pipe shifts; the last block branches back, and was fetched
// while the addq stalled. So the addq is at the head of issue in 12 of 16 clocks, and each of the other heads in one. A
// period that is prime to 16 samples all clocks equally.
constexpr std::uint64_t loop_at = 0x10000, stalled_at = loop_at + 0x10;
constexpr std::array other_heads = {loop_at, loop_at + 0x20, loop_at + 0x24, loop_at + 0x30};
std::string stalling_loop(unsigned iterations) {
  std::vector<std::string> words(16, unop());
  words[0] = mulq(1, 2, 3);
  words[4] = addq(3, 3, 4);
  words[8] = shift(1, 2, 6);
  words[9] = shift(1, 2, 7);
  words[15] = br(-16);
  std::string all;
  for (unsigned i = 0; i < iterations; ++i) {
    for (unsigned w = 0; w < words.size(); ++w) {
      all += line(loop_at + 4 * w, words[w], w == 15 ? fmt::format("T {:x}", loop_at) : "");
    }
  }
  return all + line(loop_at, nop());
}

TEST(AlphaDelivery, SamplesOfCyclesLandOnTheInstructionThatStalls) {
  for (const auto& [target, event] :
       {std::pair{"alpha-ev5", "PF5_MUX0_CYCLES"}, std::pair{"alpha-pca56", "PF5_MUX2_C_CYCLES"}}) {
    constexpr unsigned iterations = 5000, period = 101;
    const std::vector<Sample> samples = sample_cycles(target, event, period, stalling_loop(iterations));
    const auto all = static_cast<double>(samples.size());
    EXPECT_NEAR(all, 16.0 * iterations / period, 2) << target;
    std::map<std::uint64_t, unsigned> at;
    for (const Sample& sample : samples) ++at[sample.ip];
    EXPECT_NEAR(at[stalled_at] / all, 12.0 / 16, 0.02) << target;
    for (const std::uint64_t head : other_heads) EXPECT_NEAR(at[head] / all, 1.0 / 16, 0.02) << head;
  }
}

// No-operations of the 21264 leave the pipeline without retiring, eight a clock. An interrupt is taken after the
// no-operations of a clock as it is after retirements. Six clocks after the overflow at least the first eight have
// left.
TEST(AlphaDelivery, AStretchOfNoOperationsDelivers) {
  constexpr std::uint64_t begin = 0x10000, end = begin + 4 * 4000;
  std::string program;
  for (std::uint64_t pc = begin; pc < end; pc += 4) program += line(pc, nop());
  const std::vector<Sample> samples = sample_cycles("alpha-ev6", "PF6_MUX0_CYCLES", 64, program);
  ASSERT_GT(samples.size(), 5u);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_TRUE(samples[i].ip > begin && samples[i].ip <= end) << std::hex << samples[i].ip;
    if (i == 0) continue;
    EXPECT_EQ(samples[i].cycle - samples[i].requested, 7u);
    EXPECT_GT(samples[i].ip, samples[i - 1].ip) << "the PC moves on";
  }
}

// 100 additions, 56,000 idle clocks, more additions: the ticks of the idle time are taken within it, also on the 21264.
TEST(AlphaDelivery, IdleClocksDeliver) {
  std::string program;
  std::uint64_t pc = 0x10000;
  for (; pc < 0x10000 + 4 * 100; pc += 4) program += line(pc, addq(1, 2, 3));
  program += "! idle cycles=56000\n";
  for (; pc < 0x10000 + 4 * 200; pc += 4) program += line(pc, addq(1, 2, 3));
  for (const auto& [target, event] :
       {std::pair{"alpha-ev5", "PF5_MUX0_CYCLES"}, std::pair{"alpha-ev6", "PF6_MUX0_CYCLES"}}) {
    const std::vector<Sample> samples = sample_cycles(target, event, 256, program);
    const auto idle = std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.cycle < 56000; });
    EXPECT_NEAR(static_cast<double>(idle), 56000.0 / 256, 1) << target;
    for (const Sample& sample : samples) {
      if (sample.cycle >= 56000) break;
      EXPECT_EQ(sample.cycle, sample.requested + 6 + 1) << target;
    }
  }
}

}  // namespace

// Stretches in which only the counters' own interrupts occur: they are not simulated cycle by cycle, and only the run
// time shows the difference.

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

struct Delivered {
  std::array<std::uint64_t, 3> ticks{};
  std::uint64_t interrupts = 0;
  std::vector<std::uint64_t> registers, counters, carries, wholes;
  friend bool operator==(const Delivered&, const Delivered&) = default;
};

Delivered run(const Case& one, const std::string& text, bool each) {
  const models::Target& target = *models::find_target(one.target);
  Programming programming(target, target.parameters());
  write(programming, sampling_encoding(one.target, one.events));
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = 5000;
  Session session(target, target.parameters(), options);
  TickCounter ticks(find_firmware(target.name));
  session.add_monitor(each ? MonitorSetup{programming.writes(), std::ref(ticks)} : ticks.setup(programming.writes()));
  const SessionResult result = session.run(trace::open_memory(text, "idle"));
  const MonitorResult& monitor = result.monitors[0];
  Delivered outcome;
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
      const Delivered expected = run(one, idle_trace(cycles), true);
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
    const std::string file = ::testing::TempDir() + "idle-" + row.target + ".txt";
    std::ofstream(file) << "! isa alpha\n10000 1f04ff47\n! idle cycles=" << idle << "\n10004 1f04ff47\n";
    const EventCounts counted = count(row.target, file, {row.event});
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
