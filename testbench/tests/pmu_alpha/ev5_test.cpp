// The 21164 and 21164PC: PMCTR's counters, inputs, kill bits and periods.
#include "testbench/tests/pmu_alpha/bench.h"

namespace pmusim::testing::ev5 {
namespace {

namespace d = activity::detail;
namespace a = activity::alpha::detail;
using activity::LineState;

constexpr RegisterId pmctr = ipr(0x11c), icsr = ipr(0x118), isr = ipr(0x100);
constexpr std::uint64_t pma = 0x100, ku = 1u << 30, kp = 1u << 9, kk = 1u << 8;
/// All counters count without an interrupt.
constexpr std::uint64_t count_all = field(14, 1) | field(12, 1) | field(10, 1);
constexpr unsigned shifts[] = {48, 32, 16}, widths[] = {16, 16, 14};
std::uint64_t counter(std::uint64_t value, unsigned i) { return value >> shifts[i] & ((1u << widths[i]) - 1); }
std::uint64_t select(unsigned i, std::uint64_t code) { return field(i == 0 ? 31 : i == 1 ? 4 : 0, code); }

std::uint64_t counted(Make make, unsigned i, std::uint64_t selects, const Activity& activity, Flips flips = {},
                      std::uint64_t second = 0) {
  auto m = make(flips);
  put(*m, icsr, pma);
  put(*m, m->registers()[2].id, second);
  put(*m, pmctr, count_all | selects);
  consume_both(*m, activity.block());
  return counter(get(*m, pmctr), i);
}

struct Case {
  unsigned counter, select;
  Stimulus counts, nearest;
};

void check(Make make, const std::vector<Case>& cases, int second_shift1 = -1, int second_shift2 = -1) {
  for (const Case& c : cases) {
    const bool second = second_shift1 >= 0;
    const std::uint64_t selects = select(c.counter, second ? 0xf : c.select);
    const std::uint64_t seconds =
        second ? field(static_cast<unsigned>(c.counter == 1 ? second_shift1 : second_shift2), c.select) : 0;
    const unsigned events = c.counts.state != State::count_ ? 3 : 1;
    EXPECT_EQ(counted(make, c.counter, selects, with(c.counts), {}, seconds), events)
        << c.counter << " " << c.select << ": " << c.counts.what;
    EXPECT_EQ(counted(make, c.counter, selects, with(c.nearest), {}, seconds), 0u)
        << c.counter << " " << c.select << ": " << c.nearest.what;
  }
}

Stimulus replay(Replay cause) { return occurrence("replay", Signal::replay_trap, static_cast<unsigned>(cause)); }
Stimulus wrong(Kind kind, unsigned detail = d::branch_predicted) {
  Stimulus h = of_kind("resolved", Signal::branch_resolved, kind);
  h.detail = detail;
  return h;
}
Stimulus system(SystemCommand c, unsigned more = 0) {
  return occurrence("system", Signal::system_command, static_cast<unsigned>(c) | more);
}
Stimulus evict(unsigned cache, LineState state, unsigned how = d::evict_replacement) {
  return occurrence("evict", Signal::line_evict, cache | static_cast<unsigned>(state) << d::evict_state_shift | how);
}

TEST(Ev5, ControlWithoutAPeriod) {
  for (const Make make : {make_ev5, make_pca56}) {
    for (const unsigned i : {0u, 1u, 2u}) {
      for (unsigned ctl = 0; ctl < 4; ++ctl) {
        for (const bool off : {false, true}) {
          auto m = make(off ? Flips{{"pmu.ctl_1", "off"}} : Flips{});
          put(*m, icsr, pma);
          put(*m, pmctr, field(14 - 2 * i, ctl) | select(2, 0xc) | select(1, 0));
          Activity activity(20);
          activity.state(State::issue_stall, static_cast<std::uint64_t>(IssueStall::registers));
          consume_both(*m, activity.block());
          const bool counts = ctl > 1 || (ctl == 1 && !off);
          EXPECT_EQ(counter(get(*m, pmctr), i), counts ? 20u : 0u) << i << ctl;
        }
      }
    }
  }
}

TEST(Ev5, DtbMissesOfLoadsAndStores) {
  for (const bool store : {false, true}) {
    Activity activity(12);
    activity.state(State::process_marked, 0);
    activity::RequestRecord request;
    request.store = store;
    activity.occur(Signal::translation, 5, d::side_data | d::tlb_walk, activity.add(request));
    EXPECT_EQ(counted(make_ev5, 2, select(2, 7), activity), 1u);
    EXPECT_EQ(counted(make_ev5, 2, select(2, 7), activity, {{"pmu.dtb_miss", "loads"}}), store ? 0u : 1u);
    EXPECT_EQ(counted(make_pca56, 2, select(2, 7), activity, {{"pmu.dtb_miss", "loads"}}), store ? 0u : 1u);
  }
}

TEST(Ev5, EachInputCountsItsOwn) {
  const auto dcache = [](unsigned detail) { return occurrence("probe", Signal::dcache_lookup, detail); };
  const auto fetch = [](unsigned detail) { return occurrence("fetch", Signal::fetch, detail); };
  const auto tlb = [](unsigned detail) { return occurrence("tb", Signal::translation, detail); };
  const auto operate = of_kind("operate", Signal::issue, Kind::integer_operate);
  const auto load = of_kind("load", Signal::issue, Kind::load);
  const std::vector<Case> cases{
      {0, 1, operate, of_kind("retired", Signal::retire, Kind::integer_operate)},
      {1, 0x0, stall("register", IssueStall::registers), stall("dry", IssueStall::no_instructions)},
      {1, 0x0, stall("barrier", IssueStall::memory_barrier), stall("issue", IssueStall::issuing)},
      {1, 0x2, stall("dry", IssueStall::no_instructions), stall("register", IssueStall::registers)},
      {1, 0x3, replay(Replay::store_then_load), occurrence("trap", Signal::trap, 0)},
      {1, 0x4, load, several(load, 2)},
      {1, 0x5, several(load, 2), load},
      {1, 0x6, several(load, 3), several(load, 4)},
      {1, 0x7, several(load, 4), several(load, 3)},
      {1, 0x1, several(load, 3), several(load, 4)},
      {1, 0x1, load, stall("dry", IssueStall::no_instructions)},
      {1, 0x8, of_kind("jsr", Signal::issue, Kind::jump), operate},
      {1, 0x8, of_kind("hw_rei", Signal::issue, Kind::pal_return), load},
      {1, 0x8, of_kind("br", Signal::issue, Kind::unconditional_branch), load},
      {1, 0x8, of_kind("beq", Signal::issue, Kind::conditional_branch), of_kind("beq", Signal::retire, Kind::jump)},
      {1, 0x9, operate, of_kind("fp", Signal::issue, Kind::fp_operate)},
      {1, 0xa, of_kind("fp", Signal::issue, Kind::fp_operate),
       of_kind("fld", Signal::issue, Kind::load, Kind::floating)},
      {1, 0xb, load, of_kind("store", Signal::issue, Kind::store)},
      {1, 0xc, of_kind("store", Signal::issue, Kind::store), load},
      {1, 0xd, fetch(d::lookup_hit), dcache(d::access_load | d::lookup_hit)},
      {1, 0xe, dcache(d::access_store | d::lookup_hit), fetch(d::lookup_hit)},
      {2, 0x2, wrong(Kind::jump), wrong(Kind::conditional_branch)},
      {2, 0x3, wrong(Kind::conditional_branch), wrong(Kind::jump)},
      {2, 0x3, wrong(Kind::conditional_branch), wrong(Kind::conditional_branch, d::branch_correct)},
      {2, 0x4, fetch(d::lookup_miss), fetch(d::lookup_pending)},
      {2, 0x5, tlb(d::tlb_walk), tlb(d::tlb_walk | d::side_data)},
      {2, 0x6, dcache(d::access_load | d::lookup_miss), dcache(d::access_store | d::lookup_miss)},
      {2, 0x6, dcache(d::access_load | d::lookup_pending), dcache(d::access_load | d::lookup_hit)},
      {2, 0x7, tlb(d::tlb_walk | d::side_data), tlb(d::tlb_walk)},
      {2, 0x8, occurrence("merged", Signal::load_merged), dcache(d::access_load | d::lookup_miss)},
      {2, 0x9, replay(Replay::load_use), replay(Replay::memory_order)},
      {2, 0xa, replay(Replay::write_buffer_full), replay(Replay::load_use)},
      {2, 0xa, replay(Replay::miss_file_full), replay(Replay::store_then_load)},
      {2, 0xd, stall("barrier", IssueStall::memory_barrier), stall("register", IssueStall::registers)},
      {2, 0xe, of_kind("ldq_l", Signal::issue, Kind::load, Kind::load_locked), load},
  };
  check(make_ev5, cases);
  check(make_pca56, cases);
  for (const auto& [code, i] : {std::pair{0u, 0u}, std::pair{0xcu, 2u}}) {
    EXPECT_EQ(counted(make_ev5, i, select(i, code), Activity(40)), 40u);
  }
  EXPECT_EQ(counted(make_ev5, 2, select(2, 1), with(load)), 0u) << "no event defined";
}

TEST(Ev5, SecondSelects) {
  const auto l2 = [](unsigned detail) { return occurrence("scache", Signal::l2_lookup, detail); };
  const auto l3 = [](unsigned detail) { return occurrence("bcache", Signal::l3_lookup, detail); };
  const unsigned hit = d::lookup_hit, miss = d::lookup_miss, load = d::side_data | d::access_load,
                 store = d::side_data | d::access_store;
  check(make_ev5,
        {{1, 0, l2(load | hit), l3(load | hit)},
         {1, 1, l2(load | hit), l2(store | hit)},
         {1, 1, l2(hit), l3(hit)},
         {1, 2, l2(store | hit), l2(load | hit)},
         {1, 3, evict(d::cache_l2, LineState::modified), evict(d::cache_l2, LineState::exclusive)},
         {1, 3, evict(d::cache_l2, LineState::modified), evict(d::cache_l3, LineState::modified)},
         {1, 5, l3(load | hit), l2(load | hit)},
         {1, 6, evict(d::cache_l3, LineState::modified), evict(d::cache_l2, LineState::modified)},
         {1, 6, evict(d::cache_l3, LineState::modified), evict(d::cache_l3, LineState::modified, d::evict_snoop)},
         {1, 7, system(SystemCommand::set_shared), l2(load | hit)},
         {2, 0, l2(store | miss), l2(store | hit)},
         {2, 1, l2(load | miss), l2(store | miss)},
         {2, 2, l2(store | miss), l2(load | miss)},
         {2, 3, l2(store | hit | a::access_shared_write), l2(store | hit)},
         {2, 4, l2(store | hit), l2(load | hit)},
         {2, 5, l3(load | miss), l3(load | hit)},
         {2, 6, system(SystemCommand::invalidate), system(SystemCommand::flush)},
         {2, 7, system(SystemCommand::read), system(SystemCommand::invalidate)}},
        19, 22);
  EXPECT_EQ(counted(make_ev5, 1, select(1, 0xf), with(l2(load | hit)), {}, field(19, 4)), 0u) << "no event defined";
}

TEST(Pca56, SecondSelects) {
  const auto l3 = [](unsigned detail) { return occurrence("bcache", Signal::l3_lookup, detail); };
  const auto fill = [](unsigned detail) { return occurrence("fill", Signal::bcache_fill, detail); };
  const auto miss = [](unsigned outstanding) { return occurrence("READ_MISS", Signal::read_miss, outstanding); };
  const unsigned hit = d::lookup_hit, load = d::side_data | d::access_load, store = d::side_data | d::access_store;
  check(make_pca56,
        {{1, 0, l3(hit), l3(store | hit)},
         {1, 1, l3(load | hit), l3(load | d::lookup_miss)},
         {1, 1, l3(load | hit), l3(hit)},
         {1, 2, fill(load), fill(store)},
         {1, 2, fill(load), fill(0)},
         {1, 3, l3(store | hit), l3(load | hit)},
         {1, 5, l3(store | hit | a::found_clean), l3(store | hit)},
         {1, 6, evict(d::cache_l3, LineState::modified), evict(d::cache_l3, LineState::shared)},
         {1, 7, miss(2), miss(1)},
         {1, 7, miss(2), miss(3)},
         {2, 0, l3(load | d::lookup_miss), l3(hit)},
         {2, 1, l3(hit), l3(store | hit)},
         {2, 2, fill(0), fill(store)},
         {2, 3, l3(store | hit), l3(store | d::lookup_miss)},
         {2, 4, fill(store), fill(load)},
         {2, 5, system(SystemCommand::read, a::system_hit), system(SystemCommand::read)},
         {2, 5, system(SystemCommand::flush, a::system_hit), system(SystemCommand::probe, a::system_hit)},
         {2, 6, system(SystemCommand::flush), system(SystemCommand::invalidate)},
         {2, 6, system(SystemCommand::read, a::system_hit), system(SystemCommand::other)},
         {2, 7, miss(3), miss(2)}},
        8, 11);
  const auto hits = with(system(SystemCommand::read, a::system_hit)), misses = with(system(SystemCommand::flush));
  const Flips alone{{"pmu.sys_read_flush", "misses"}};
  EXPECT_EQ(counted(make_pca56, 2, select(2, 0xf), hits, alone, field(11, 6)), 0u);
  EXPECT_EQ(counted(make_pca56, 2, select(2, 0xf), misses, alone, field(11, 6)), 1u);
}

TEST(Ev5, ExternalPinIsALevel) {
  Activity activity(20);
  activity.change(State::pins, 4, 1).change(State::pins, 9, 2).change(State::pins, 15, 3);
  EXPECT_EQ(counted(make_ev5, 2, select(2, 0xb), activity), 5u + 5u) << "pin 0 in cycles 4 to 8 and 15 to 19";
  EXPECT_EQ(counted(make_pca56, 2, select(2, 0xb), activity), 0u);
  EXPECT_EQ(counted(make_pca56, 2, select(2, 0xb), activity, {{"pmu.pca56_external", "counted"}}), 10u);
}

TEST(Ev5, Select2NarrowsChangesOfFlow) {
  const auto jump = with(of_kind("jump", Signal::issue, Kind::jump));
  const auto branch = with(of_kind("branch", Signal::issue, Kind::conditional_branch));
  const auto br = with(of_kind("br", Signal::issue, Kind::unconditional_branch));
  const auto flow = [](unsigned select2, const Activity& activity) {
    return counted(make_ev5, 1, select(1, 8) | select(2, select2), activity);
  };
  EXPECT_EQ(flow(2, jump), 1u);
  EXPECT_EQ(flow(2, branch), 0u);
  EXPECT_EQ(flow(3, jump), 0u);
  EXPECT_EQ(flow(3, branch), 1u);
  EXPECT_EQ(flow(3, br), 0u);
  EXPECT_EQ(flow(4, br), 1u);
}

TEST(Ev5, MoreThanAnInputCanSay) {
  const auto five = with(several(of_kind("issue", Signal::issue, Kind::load), 5));
  EXPECT_EQ(counted(make_ev5, 0, select(0, 1), five), 4u);
  EXPECT_EQ(counted(make_ev5, 1, select(1, 0xb), five), 2u);
  EXPECT_EQ(counted(make_ev5, 0, select(0, 1), five, {{"pmu.increment_limit", "none"}}), 5u);
}

TEST(Ev5, LongStallsCountOnceInTheirSixteenthCycle) {
  const auto stalls = [](Cycle length, Flips flips = {}) {
    Activity activity(60);
    activity.change(State::issue_stall, 3, static_cast<std::uint64_t>(IssueStall::load_miss))
        .change(State::issue_stall, 3 + 5, static_cast<std::uint64_t>(IssueStall::registers))
        .change(State::issue_stall, 3 + length, 0);
    return counted(make_ev5, 2, select(2, 0), activity, flips);
  };
  EXPECT_EQ(stalls(15), 0u);
  EXPECT_EQ(stalls(16), 1u);
  EXPECT_EQ(stalls(50), 1u);
  EXPECT_EQ(stalls(12, {{"pmu.long_stall", "12"}}), 0u);
  EXPECT_EQ(stalls(13, {{"pmu.long_stall", "12"}}), 1u);
}

// Alpha Architecture Handbook p. E-17, 21164PC manual p. 5-30: counting modes, in the order K E S U P.
TEST(Ev5, KillBits) {
  struct Row {
    std::uint64_t bits;
    const char* modes;
  };
  const Row rows[] = {{0, "KESUP"}, {kp, "KESU"},   {ku, "KESP"},   {ku | kp, "KES"},
                      {kk, "UP"},   {kp | kk, "U"}, {ku | kk, "P"}, {ku | kp | kk, "ES"}};
  for (const Row& row : rows) {
    for (unsigned mode = 0; mode < 5; ++mode) {
      Activity activity(10);
      activity.state(State::cpl, mode == 4 ? 0 : mode).state(State::pal_mode, mode == 4 ? 1 : 0);
      const bool counts = std::string_view(row.modes).find("KESUP"[mode]) != std::string_view::npos;
      EXPECT_EQ(counted(make_ev5, 0, row.bits, activity, {{"pmu.os_user_mode", "user"}}), counts ? 10u : 0u)
          << row.modes << " in "
          << "KESUP"[mode];
    }
  }
}

TEST(Ev5, UserCodeOfTheSystemRunsInExecutiveMode) {
  Activity user(10);
  user.state(State::cpl, 3);
  EXPECT_EQ(counted(make_ev5, 0, ku | kp | kk, user), 10u) << "only user code";
  EXPECT_EQ(counted(make_ev5, 0, ku, user), 10u) << "Ku removes nothing";
  EXPECT_EQ(counted(make_ev5, 0, kk, user), 0u);
}

TEST(Ev5, CountersWrapAtTheirWidths) {
  auto m = make_ev5();
  put(*m, icsr, pma);
  const std::uint64_t near = field(48, 0xfffe) | field(32, 0xfffe) | field(16, 0x3ffe);
  put(*m, pmctr, near | count_all | select(1, 2) | select(2, 0xc));
  Activity activity(5);
  activity.state(State::issue_stall, static_cast<std::uint64_t>(IssueStall::no_instructions));
  const Observed seen = consume_both(*m, activity.block());
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(counter(get(*m, pmctr), i), 3u) << i;
  EXPECT_TRUE(seen.requests.empty()) << "CTL = 01 never interrupts";
  EXPECT_EQ(get(*m, isr), 0u);
}

TEST(Ev5, PeriodsAreCarries) {
  const auto first_request = [](unsigned i, std::uint64_t ctl, std::uint64_t start, Flips flips = {}) -> Cycle {
    auto m = make_ev5(flips);
    put(*m, icsr, pma);
    const unsigned ctl_shift = 14 - 2 * i;
    put(*m, pmctr, field(shifts[i], start) | field(ctl_shift, ctl) | select(1, 2) | select(2, 0xc));
    Activity activity(70000);
    activity.state(State::issue_stall, static_cast<std::uint64_t>(IssueStall::no_instructions));
    const pmu::Consumed done = m->consume(activity.block(), 0, 70000);
    if (!done.interrupt_request) return activity::never;
    EXPECT_EQ(get(*m, isr), field(27 + i, 1));
    return done.reached;
  };
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(first_request(i, 2, 0), Cycle{1} << widths[i]);
    EXPECT_EQ(first_request(i, 3, 0), 256u);
    EXPECT_EQ(first_request(i, 3, 0x1234), 256u - 0x34) << "the carry out of bit 7, whatever is above";
    EXPECT_EQ(first_request(i, 1, 0), activity::never);
    EXPECT_EQ(first_request(i, 0, 0), activity::never);
  }
}

TEST(Ev5, ProcessEnable) {
  Activity activity(30);
  activity.change(State::process_marked, 10, 1).change(State::process_marked, 14, 0);
  auto m = make_ev5();
  put(*m, pmctr, count_all);
  consume_both(*m, activity.block());
  EXPECT_EQ(counter(get(*m, pmctr), 0), 4u) << "PMA clear: marked processes";
  EXPECT_EQ(counted(make_ev5, 0, 0, activity), 30u);
}

// The counter starts three cycles before its end and carries in the third; the waveform must show the overflow in that
// cycle only.
TEST(Ev5, TheOverflowOfAWaveformIsThatOfOneCycle) {
  const auto m = make_ev5({});
  put(*m, icsr, pma);
  put(*m, pmctr, field(48, 0xfffd) | field(14, 2));
  Activity activity(8);
  activity.state(State::process_marked, 0);
  ASSERT_EQ(m->indicators()[0].name, "overflow");
  for (Cycle at = 0; at < 8; ++at) {
    ASSERT_EQ(m->consume(activity.block(), at, at + 1).reached, at + 1);
    EXPECT_EQ(m->indicator(0), at == 2 ? 1u : 0u) << at;
  }
}

}  // namespace
}  // namespace pmusim::testing::ev5
