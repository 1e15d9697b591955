// The points at which the counters' interrupts are taken, on the real cores.
#include <algorithm>
#include <array>
#include <map>

#include "bench.h"
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
  const auto encoding = encoder::encode(target_name, std::vector{event}, {.sampling = true});
  if (!encoding) throw std::invalid_argument(encoding.error().message);
  std::vector<Sample> samples;
  const auto sampler = find_firmware(target_name)
                           ->sampler(
                               {{encoding->events[0].counter, period}},
                               [&](const Sample& sample) { samples.push_back(sample); }, nullptr);
  Programming programming(target, parameters);
  sampler->preset(programming);
  for (const encoder::RegisterValue& reg : encoding->registers) programming.write(reg.name, reg.value);
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

// An interrupt is taken six clocks after the overflow, whether or not instructions retire.
TEST(AlphaDelivery, IsSixClocksBehindTheOverflow) {
  for (const Sample& sample : sample_cycles("alpha-ev5", "PF5_MUX0_CYCLES", 101, stalling_loop(200))) {
    EXPECT_EQ(sample.cycle, sample.requested + 6 + 1);
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
}  // namespace pmusim::testbench
