// The instruction pointer EAR: entries, cycles, flushes, the delay of the freeze and events that cut it short.
#include "bench.h"

namespace pmusim::testing::ip_ear {
namespace {

using pmu::ia64::RetiredGroup;

constexpr std::uint64_t mode_on = at(8, 4);
constexpr std::uint64_t delay(unsigned n) { return at(11, n); }

std::unique_ptr<Monitor> recording(std::uint64_t more = 0, Flips flips = {}) {
  auto m = counting({}, flips);
  put(*m, pmc(42), any_level | mode_on | more);
  return m;
}
std::vector<RetiredGroup> decoded(Monitor& m) {
  std::array<std::uint64_t, 16> entries{};
  for (std::uint32_t i = 0; i < 16; ++i) entries[i] = get(m, pmd(48 + i));
  return decode_ip_ear(pmu::montecito_branch_ring(entries, get(m, pmd(38)), get(m, pmd(39))));
}
/// A monitor whose PMC15 wraps in cycle `at` and freezes it.
std::unique_ptr<Monitor> freezing(Cycle at, std::uint64_t more, Flips flips = {}) {
  auto m = recording(more, flips);
  put(*m, pmc(15), event(cycles) | any_level | oi);
  put(*m, pmd(15), wrap - at - 1);
  return m;
}

TEST(IpEar, EntriesBitByBit) {
  // A group at 0x1234'5678'9abc'def0 in cycle 3, one at 0x4010 in cycle 60: 56 bubbles, 0x38.
  Activity a(70);
  a.retires(3, {.ip = 0x1234'5678'9abc'def0}).retires(60, {.ip = 0x4010, .slot = 1});
  auto m = recording();
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(48)), 0x0123'4567'89ab'cdefu);
  EXPECT_EQ(get(*m, pmd(49)), 0x401u | 0x8ull << 60);
  EXPECT_EQ(get(*m, pmd(39)), 3ull << 8) << "cycles bits 5:4 of PMD49";
  EXPECT_EQ(get(*m, pmd(38)), 2u);
  const std::vector<RetiredGroup> expected{{.bundle = 0x1234'5678'9abc'def0}, {.bundle = 0x4010, .cycles = 56}};
  EXPECT_EQ(decoded(*m), expected);
}

// Two instructions retire, neither of them a branch; beside the IP-EAR, PMC39 selects branches of every kind or is off.
TEST(IpEar, BesideBranches) {
  constexpr std::uint64_t every_branch = at(8, 3) | at(10, 3) | at(12, 3);
  Activity a(20);
  a.retires(3, {.ip = 0x4000}).retires(5, {.ip = 0x4010});
  const auto entries = [&](std::uint64_t pmc39, const char* wins) {
    auto m = recording(0, {{"pmu.ipear_beside_branches", wins}});
    put(*m, pmc(39), pmc39);
    consume_both(*m, a.block());
    return get(*m, pmd(38));
  };
  EXPECT_EQ(entries(any_level | every_branch, "ipear"), 2u);
  EXPECT_EQ(entries(any_level | every_branch, "branches"), 0u);
  EXPECT_EQ(entries(0, "branches"), 2u);
}

TEST(IpEar, CyclesAddUp) {
  // The cumulative time between entries is the sum of cycles + 1, at most 63.
  Activity a(300);
  const Cycle when[] = {5, 6, 8, 20, 84, 148, 213, 214};
  for (const Cycle c : when) a.retires(c, {.ip = 0x4000 + 16 * c});
  auto m = recording();
  consume_both(*m, a.block());
  const auto groups = decoded(*m);
  ASSERT_EQ(groups.size(), 8u);
  EXPECT_EQ(groups[0].cycles, 0u);
  for (unsigned k = 1; k < 8; ++k) EXPECT_EQ(groups[k].cycles, std::min<Cycle>(63, when[k] - when[k - 1] - 1)) << k;
  auto distance = recording(0, {{"pmu.ipear_cycles", "distance"}});
  consume_both(*distance, a.block());
  EXPECT_EQ(decoded(*distance)[3].cycles, 12u);
}

TEST(IpEar, OneEntryACycle) {
  // Two bundles in cycle 4, and one instruction of a split bundle in each of cycles 6 and 7.
  Activity a(20);
  a.retires(4, {.ip = 0x4000}).retires(4, {.ip = 0x4000, .slot = 1}).retires(4, {.ip = 0x4010});
  a.retires(6, {.ip = 0x4020}).retires(7, {.ip = 0x4020, .slot = 2});
  auto m = recording();
  consume_both(*m, a.block());
  const std::vector<RetiredGroup> expected{{.bundle = 0x4000}, {.bundle = 0x4020, .cycles = 1}, {.bundle = 0x4020}};
  EXPECT_EQ(decoded(*m), expected);
  auto bundles = recording(0, {{"pmu.ipear_entry", "bundle"}});
  consume_both(*bundles, a.block());
  ASSERT_EQ(decoded(*bundles).size(), 4u);
  EXPECT_EQ(decoded(*bundles)[1].bundle, 0x4010u);
}

TEST(IpEar, Flushes) {
  // A flush by a branch between cycles 5 and 12, one by an interruption between 20 and 30.
  using ia64::BackEnd;
  Activity a(60);
  for (const Cycle c : {5u, 12u, 20u, 30u, 40u}) a.retires(c, {.ip = 0x4000 + 16 * c});
  a.change(State::back_end, 6, back_end(BackEnd::flush, ia64::cause::branch)).change(State::back_end, 9, 0);
  a.change(State::back_end, 22, back_end(BackEnd::flush, ia64::cause::interruption)).change(State::back_end, 23, 0);
  a.change(State::back_end, 33, back_end(BackEnd::execute, 1)).change(State::back_end, 36, 0);
  auto m = recording(0);
  consume_both(*m, a.block());
  std::vector<bool> flushed;
  for (const RetiredGroup& group : decoded(*m)) flushed.push_back(group.flushed);
  EXPECT_EQ(flushed, std::vector<bool>({false, true, false, true, false}));
}

TEST(IpEar, WrapsBehindSixteen) {
  Activity a(60);
  for (Cycle c = 0; c < 20; ++c) a.retires(2 * c, {.ip = 0x4000 + 16 * c});
  auto m = recording();
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(38)), 4u + at(5, 1));
  const auto groups = decoded(*m);
  ASSERT_EQ(groups.size(), 16u);
  for (unsigned k = 0; k < 16; ++k) EXPECT_EQ(groups[k].bundle, 0x4000u + 16 * (k + 4));
}

TEST(IpEar, ByItsOwnModeAndLevel) {
  Activity a(20);
  a.retires(4);
  for (unsigned mode = 0; mode < 8; ++mode) {
    auto m = counting({});
    put(*m, pmc(42), any_level | at(8, mode));
    consume_both(*m, a.block());
    EXPECT_EQ(decoded(*m).size(), mode == 4 ? 1u : 0u) << mode;
  }
  auto user = counting({});
  put(*user, pmc(42), 8 | mode_on);
  consume_both(*user, a.block());
  EXPECT_TRUE(decoded(*user).empty()) << "level 3 only";
}

TEST(IpEar, WinsOverBranches) {
  Activity a(20);
  const std::uint32_t i = a.instruction({.type = ia64::SlotType::b, .kinds = bit(ia64::Kind::branch), .taken = true});
  a.occur(Signal::retire, 4, 0, i);
  auto m = recording();
  put(*m, pmc(39), any_level | at(8, 0x3f));
  put(*m, pmc(4), event(branch_event) | any_level);
  consume_both(*m, a.block());
  EXPECT_EQ(decoded(*m), std::vector<RetiredGroup>({{.bundle = 0x4000}}));
  EXPECT_EQ(get(*m, pmd(4)), 0u) << "ETB_EVENT counts branches";
}

/// One group in every cycle, at consecutive addresses, 16 bytes apart.
Activity steady(Cycle length) {
  Activity a(length);
  for (Cycle c = 0; c < length; ++c) a.retires(c, {.ip = 0x40000 + 16 * c});
  return a;
}
std::uint64_t ip_of(Cycle c) { return 0x40000 + 16 * c; }

TEST(IpEar, DelayOfTheFreeze) {
  // The counter wraps in cycle 30: cycle 31 is the first frozen one, and the ring records for another `n` cycles.
  const Activity a = steady(100);
  for (const unsigned n : {0u, 1u, 5u, 40u}) {
    auto m = freezing(30, delay(n));
    EXPECT_EQ(consume_both(*m, a.block()).requests, std::vector<Cycle>{30});
    EXPECT_EQ(decoded(*m).back(), (RetiredGroup{.bundle = ip_of(30 + n)})) << n;
    EXPECT_EQ(get(*m, pmd(15)), 0u) << "counters stop at once";
  }
}

TEST(IpEar, CutByAThreadSwitch) {
  // The delay of 20 cycles begins in cycle 31; thread 1 is active from cycle 38 on: 13 cycles are left.
  Activity whole(100);
  for (Cycle c = 0; c < 38; ++c) whole.retires(c, {.ip = ip_of(c)});
  for (Cycle c = 38; c < 100; ++c) whole.retires(c, {.ip = 0x9000, .thread = 1});
  whole.change(State::thread, 38, 1).state(State::background_psr, psr::up);
  auto m = freezing(30, delay(20));
  consume_both(*m, whole.block());
  const RetiredGroup last = decoded(*m).back();
  EXPECT_EQ(last.early_freeze, 13u);
  EXPECT_EQ(last.bundle, ip_of(37) & ~0xfffull);
  EXPECT_EQ(get(*m, pmd(48 + 37 % 16)), (ip_of(37) >> 12) << 8 | 13);
  EXPECT_EQ(get(*m, pmd(39)), 8ull << (37 % 16 < 8 ? 8 * (37 % 16) : 8 * (37 % 16 - 8) + 4)) << "ef";
}

TEST(IpEar, CutByTheInterrupt) {
  // The interrupt is taken after cycle 42: 8 cycles are left of the delay of 20 that began in cycle 31.
  const Activity a = steady(100);
  auto m = freezing(30, delay(20));
  EXPECT_EQ(m->consume(a.block(), 0, 100).reached, 31u);
  m->consume(a.block(), 31, 43);
  m->interrupt_taken();
  m->consume(a.block(), 43, 100);
  EXPECT_EQ(decoded(*m).back(), (RetiredGroup{.bundle = ip_of(42) & ~0xfffull, .early_freeze = 8}));
  // After the delay the interrupt changes nothing.
  auto late = freezing(30, delay(5));
  late->consume(a.block(), 0, 100);
  late->consume(a.block(), 31, 43);
  late->interrupt_taken();
  EXPECT_EQ(decoded(*late).back(), (RetiredGroup{.bundle = ip_of(35)}));
}

TEST(IpEar, CutByAnyInterruption) {
  Activity a = steady(100);
  a.occur(Signal::trap, 34, d::trap_exception);
  auto m = freezing(30, delay(20));
  consume_both(*m, a.block());
  EXPECT_EQ(decoded(*m).back(), (RetiredGroup{.bundle = ip_of(34) & ~0xfffull, .early_freeze = 16}));
}

TEST(IpEar, CutBySoftware) {
  const Activity a = steady(100);
  auto m = freezing(30, delay(20));
  m->consume(a.block(), 0, 100);
  m->consume(a.block(), 31, 36);
  put(*m, pmc(0), 1);
  m->consume(a.block(), 36, 100);
  EXPECT_EQ(decoded(*m).back(), (RetiredGroup{.bundle = ip_of(35) & ~0xfffull, .early_freeze = 15}));
  // After a freeze by software there is no delay: the ring stops at once.
  auto own = recording(delay(20));
  own->consume(a.block(), 0, 10);
  put(*own, pmc(0), 1);
  own->consume(a.block(), 10, 100);
  EXPECT_EQ(decoded(*own).back(), (RetiredGroup{.bundle = ip_of(9)}));
  put(*own, pmc(0), 0);
  own->consume(a.block(), 90, 100);
  EXPECT_EQ(decoded(*own).back(), (RetiredGroup{.bundle = ip_of(99)})) << "and goes on";
}

TEST(IpEar, OnlyTheOwnThread) {
  Activity a(40);
  a.state(State::background_psr, psr::up).change(State::thread, 10, 1).change(State::thread, 20, 0);
  a.retires(5, {.ip = 0x4000}).retires(12, {.ip = 0x6000, .thread = 1}).retires(22, {.ip = 0x4010});
  a.retires(7, {.ip = 0x6000, .thread = 1});
  a.change(State::back_end, 14, back_end(ia64::BackEnd::flush, 1)).change(State::back_end, 16, 0);
  auto m = recording();
  consume_both(*m, a.block());
  const std::vector<RetiredGroup> expected{{.bundle = 0x4000}, {.bundle = 0x4010, .cycles = 16}};
  EXPECT_EQ(decoded(*m), expected) << "the flush was thread 1's";
}

}  // namespace
}  // namespace pmusim::testing::ip_ear
