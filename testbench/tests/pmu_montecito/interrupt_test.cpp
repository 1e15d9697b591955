// Overflow, freeze and interrupt.
#include "bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint64_t count_cycles = event(cycles) | any_level;

TEST(Overflow, BitOfEveryCounter) {
  for (std::uint32_t n = 4; n < 16; ++n) {
    auto m = counting({count_cycles});
    put(*m, pmc(n), count_cycles | oi);
    put(*m, pmd(n), wrap - 5);
    Activity activity(40);
    EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{4}) << n;
    EXPECT_EQ(get(*m, pmc(0)), 1u | 1u << n);
    EXPECT_EQ(get(*m, pmd(n)), 0u);
    EXPECT_EQ(get(*m, pmd(n == 4 ? 5 : 4)), n == 4 ? 0u : 5u) << "the cycle of the wrap is counted whole";
  }
}

TEST(Overflow, InTheBackground) {
  // Thread 0 is in the background from cycle 5 on; it has floating misses in cycles 8 and 12, and the counter wraps at
  // the second.
  Activity a(40);
  a.state(State::background_psr, psr::up | psr::i).change(State::thread, 5, 1).change(State::thread, 30, 0);
  for (const Cycle c : {8u, 12u, 14u}) a.occur(Signal::l2_lookup, c, d::side_data | d::lookup_miss, a.request(0x8000));
  auto m = counting({event(0xcb) | any_level | oi, count_cycles});
  put(*m, pmd(4), wrap - 2);
  EXPECT_EQ(consume_both(*m, a.block()).requests, std::vector<Cycle>{12});
  EXPECT_EQ(get(*m, pmd(4)), 0u);
  EXPECT_EQ(get(*m, pmd(5)), 5u);
  EXPECT_TRUE(m->interrupt_pending());
  EXPECT_FALSE(m->interrupt_enabled(a.block(), 20)) << "waits until its thread is active";
  EXPECT_TRUE(m->interrupt_enabled(a.block(), 30));
}

TEST(Overflow, ThreadsFreezeAlone) {
  Activity a(40);
  a.state(State::background_psr, psr::up | psr::i);
  auto first = counting({count_cycles | all | oi}), second = counting({count_cycles | all}, {{"pmu.thread", "1"}});
  put(*first, pmd(4), wrap - 5);
  consume_both(*first, a.block());
  consume_both(*second, a.block());
  EXPECT_EQ(get(*first, pmd(4)), 0u);
  EXPECT_EQ(get(*second, pmd(4)), 40u);
}

}  // namespace
}  // namespace pmusim::testing
