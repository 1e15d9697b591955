// ProfileMe of the 21264A: the choice of the instruction, its window in exact cycles, and the recorded sample.
// 21264/EV67 manual, section 6.10.3 and pp. 5-19 to 5-25.
#include "testbench/tests/pmu_alpha/bench.h"

namespace pmusim::testing::ev67 {
namespace {

namespace d = activity::detail;

constexpr RegisterId pctr_ctl = ipr(0x14), i_ctl = ipr(0x11), ier_cm = ipr(0x0b), i_stat = ipr(0x16), pmpc = ipr(0x05);
constexpr std::uint64_t retired_cycles = 0, cycles_delay = 1, retired_bcache = 2, cycles_replay = 3;

struct Sample {
  std::vector<Cycle> requests;
  std::uint64_t pctr_ctl = 0, i_stat = 0, pmpc = 0;
  [[nodiscard]] std::uint64_t pctr0() const { return pctr_ctl >> 28 & 0xfffff; }
  [[nodiscard]] std::uint64_t pctr1() const { return pctr_ctl >> 6 & 0xfffff; }
  [[nodiscard]] bool stalled() const { return (pctr_ctl >> 27 & 1) != 0; }
  [[nodiscard]] bool killed_early() const { return (pctr_ctl >> 26 & 1) != 0; }
  [[nodiscard]] bool valid() const { return (pctr_ctl >> 1 & 1) != 0; }
  [[nodiscard]] bool taken() const { return (pctr_ctl & 1) != 0; }
  [[nodiscard]] bool mispredicted() const { return (i_stat >> 40 & 1) != 0; }
  [[nodiscard]] bool trapped() const { return (i_stat >> 39 & 1) != 0; }
  [[nodiscard]] bool ordered() const { return (i_stat >> 38 & 1) != 0; }
  [[nodiscard]] unsigned type() const { return i_stat >> 34 & 15; }
  [[nodiscard]] bool new_stream() const { return (i_stat >> 33 & 1) != 0; }
  [[nodiscard]] unsigned overcount() const { return i_stat >> 30 & 7; }
};

std::unique_ptr<Monitor> profiling(unsigned nth, std::uint64_t sl1, Flips flips = {}) {
  auto m = make_ev67(flips);
  put(*m, i_ctl, 1 | field(18, 3));
  put(*m, ier_cm, field(29, 3));
  put(*m, pctr_ctl, field(28, 0x100000 - nth) | 0x10 | sl1 << 2);
  return m;
}

Sample profile(const Activity& activity, unsigned nth = 1, std::uint64_t sl1 = cycles_replay, Flips flips = {}) {
  auto m = profiling(nth, sl1, flips);
  const Observed seen = consume_both(*m, activity.block());
  return {seen.requests, get(*m, pctr_ctl), get(*m, i_stat), get(*m, pmpc)};
}

/// The activity of one instruction, in sixty cycles.
class Life : public Activity {
 public:
  static constexpr Cycle fetch = 10;
  explicit Life(std::uint32_t kinds = 0) : Life(more_of(kinds)) {}
  explicit Life(const activity::alpha::Instruction& more) : Activity(60) {
    activity::InstructionRecord record;
    record.id = 1000;
    record.ip = 0x12340;
    ref_ = add(record, more);
    occur(Signal::instruction_fetch, fetch, 0, ref_);
  }
  static activity::alpha::Instruction more_of(std::uint32_t kinds) {
    activity::alpha::Instruction more;
    more.kinds = kinds;
    return more;
  }
  Life& then(Signal signal, Cycle at, unsigned detail = 0) {
    occur(signal, at, static_cast<std::uint16_t>(detail), ref_);
    return *this;
  }
  Life& enters(Trap trap, Cycle at) { return then(Signal::pal_entry, at, static_cast<unsigned>(trap)); }
  Life& others_fetched(Cycle at, unsigned amount) {
    occur(Signal::instruction_fetch, at, 0, instruction(0), amount);
    return *this;
  }

 private:
  std::uint32_t ref_;
};

TEST(ProfileMe, ChoosesTheNthFetchedInstruction) {
  Activity activity(100);
  std::vector<std::uint32_t> refs;
  for (unsigned i = 0; i < 40; ++i) {
    activity::InstructionRecord record;
    record.id = i;
    record.ip = 0x1000 + 4 * i;
    refs.push_back(activity.add(record, {}));
    activity.occur(Signal::instruction_fetch, 1 + i / 4, 0, refs.back());
    activity.occur(Signal::retire, 20 + i, 0, refs.back());
  }
  for (const unsigned nth : {1u, 2u, 4u, 5u, 17u, 40u}) {
    EXPECT_EQ(profile(activity, nth).pmpc, 0x1000 + 4 * (nth - 1)) << nth;
  }
  EXPECT_TRUE(profile(activity, 41).requests.empty());
}

// F = 10, E = 30: the window is cycles 15 to 32, and the request is made in the last of them.
TEST(ProfileMe, WindowOfARetiredInstruction) {
  Life life;
  life.then(Signal::retire, 30);
  const Sample s = profile(life);
  EXPECT_EQ(s.requests, std::vector<Cycle>{32});
  EXPECT_EQ(s.pctr0(), 32u - 15 + 1);
  EXPECT_EQ(s.pmpc, 0x12340u);
  EXPECT_TRUE(s.valid());
  EXPECT_FALSE(s.trapped());
  EXPECT_EQ(profile(life, 1, retired_cycles).pctr1(), 18u);
}

// The clock stops in cycle 32, the last of the window, and runs again from cycle 42 on: that is the last of the window
// now.
TEST(ProfileMe, WindowIsMeasuredInCyclesOfTheClock) {
  Life life;
  life.then(Signal::retire, 30).change(State::clock, 32, 0).change(State::clock, 42, 1);
  const Sample s = profile(life);
  EXPECT_EQ(s.requests, std::vector<Cycle>{42});
  EXPECT_EQ(s.pctr0(), 32u - 15 + 1);
}

TEST(ProfileMe, CountsWhatIsInTheWindow) {
  Life life;
  life.then(Signal::retire, 30);
  for (const Cycle at : {14u, 15u, 20u, 32u, 33u}) {
    life.retire(at);
    life.occur(Signal::replay_trap, at);
    life.occur(Signal::l3_lookup, at, d::lookup_miss);
  }
  EXPECT_EQ(profile(life, 1, cycles_replay).pctr1(), 3u) << "cycles 15, 20, 32";
  EXPECT_EQ(profile(life, 1, retired_cycles).pctr0(), 3u + 1) << "and the instruction itself";
  EXPECT_EQ(profile(life, 1, retired_bcache).pctr1(), 3u) << "three cycles early: 14, 15, 20";
}

TEST(ProfileMe, TheBcacheInputRunsThreeCyclesEarly) {
  for (const auto& [at, counts] : {std::pair{11u, 0u}, std::pair{12u, 1u}, std::pair{29u, 1u}, std::pair{30u, 0u}}) {
    Life life;
    life.then(Signal::retire, 30).occur(Signal::l3_lookup, at, d::lookup_miss);
    EXPECT_EQ(profile(life, 1, retired_bcache).pctr1(), counts) << at << ": window 15 to 32 less 3 is 12 to 29";
  }
}

TEST(ProfileMe, OvercountIsTheResidueOfTheSelection) {
  Life life;
  life.others_fetched(10, 2).others_fetched(11, 4).others_fetched(12, 4).then(Signal::retire, 30);
  const Sample s = profile(life, 1, retired_cycles);
  EXPECT_EQ(s.overcount(), 2u + 4);
  EXPECT_EQ(s.pctr0() - s.overcount(), 1u) << "one instruction retired in the window";
  EXPECT_EQ(profile(life, 1, retired_cycles, {{"pmu.overcount_cycles", "0"}}).overcount(), 2u);
  EXPECT_EQ(profile(life, 1, retired_cycles, {{"pmu.overcount_cycles", "2"}}).overcount(), 7u) << "of 10";
}

TEST(ProfileMe, TrapTypes) {
  struct Row {
    Trap trap;
    unsigned type;
    bool retires;
  };
  const Row rows[] = {{Trap::dtb_double_3, 2, false}, {Trap::dtb_double_4, 3, false},   {Trap::fp_disabled, 4, false},
                      {Trap::unaligned, 5, false},    {Trap::dtb_single, 6, false},     {Trap::dstream_fault, 7, false},
                      {Trap::opcdec, 8, false},       {Trap::machine_check, 10, false}, {Trap::arithmetic, 12, true},
                      {Trap::mt_fpcr, 14, true},      {Trap::reset, 15, false}};
  for (const Row& row : rows) {
    Life life;
    life.enters(row.trap, 25).then(Signal::kill, 25).then(Signal::retire, 50);
    const Sample s = profile(life);
    EXPECT_EQ(s.requests, std::vector<Cycle>{27}) << row.type;
    EXPECT_TRUE(s.trapped()) << row.type;
    EXPECT_EQ(s.type(), row.type);
    EXPECT_EQ(s.valid(), row.retires) << row.type;
    EXPECT_FALSE(s.mispredicted() || s.ordered()) << row.type;
  }
}

TEST(ProfileMe, ReplayTraps) {
  for (const auto& [cause, ordered] :
       {std::pair{Replay::store_load_order, true}, std::pair{Replay::load_load_order, false},
        std::pair{Replay::wrong_size, false}}) {
    Life life;
    life.then(Signal::replay_trap, 20, static_cast<unsigned>(cause)).then(Signal::kill, 20);
    const Sample s = profile(life);
    EXPECT_TRUE(s.trapped());
    EXPECT_EQ(s.type(), 0u);
    EXPECT_EQ(s.ordered(), ordered);
    EXPECT_FALSE(s.valid());
    EXPECT_EQ(s.pctr0(), 22u - 15 + 1);
  }
}

TEST(ProfileMe, Mispredictions) {
  for (const bool taken : {false, true}) {
    Life branch(bit(Kind::conditional_branch));
    branch.then(Signal::branch_resolved, 22, d::branch_conditional | (taken ? d::branch_taken : 0))
        .then(Signal::retire, 40);
    const Sample s = profile(branch);
    EXPECT_EQ(s.requests, std::vector<Cycle>{24});
    EXPECT_TRUE(s.trapped() && s.mispredicted() && s.valid());
    EXPECT_EQ(s.taken(), taken);
  }
  Life jump(bit(Kind::jump));
  jump.then(Signal::branch_resolved, 22, d::branch_taken).then(Signal::retire, 40);
  const Sample s = profile(jump);
  EXPECT_TRUE(s.trapped());
  EXPECT_FALSE(s.mispredicted()) << "to be seen from the opcode";
  EXPECT_NE(s.type(), 0u) << "no replay trap";
  EXPECT_FALSE(s.taken()) << "no conditional branch";
}

TEST(ProfileMe, RightPredictionsGoOn) {
  Life branch(bit(Kind::conditional_branch));
  branch.then(Signal::branch_resolved, 22, d::branch_taken | d::branch_correct).then(Signal::retire, 40);
  const Sample s = profile(branch);
  EXPECT_EQ(s.requests, std::vector<Cycle>{42});
  EXPECT_TRUE(s.taken());
  EXPECT_FALSE(s.trapped() || s.mispredicted());
}

TEST(ProfileMe, KilledByAnother) {
  activity::alpha::Instruction more;
  more.killed_early = true;
  Life early(more);
  early.then(Signal::kill, 12);
  const Sample s = profile(early);
  EXPECT_TRUE(s.killed_early());
  EXPECT_FALSE(s.valid() || s.trapped());
  EXPECT_EQ(s.pctr0(), 0u) << "the window ends before it begins";
  EXPECT_EQ(s.requests, std::vector<Cycle>{14}) << "after cycle 14 it would have begun";
  Life late;
  late.then(Signal::kill, 30);
  EXPECT_FALSE(profile(late).killed_early() || profile(late).valid());
}

TEST(ProfileMe, StateOfTheFetch) {
  activity::alpha::Instruction more;
  more.map_stalled = more.fill_stream = more.pal = true;
  Life life(more);
  life.then(Signal::dispatch, 14).then(Signal::retire, 30);
  const Sample s = profile(life);
  EXPECT_TRUE(s.stalled());
  EXPECT_TRUE(s.new_stream());
  EXPECT_EQ(s.pmpc, 0x12341u) << "bit 0: PALcode";
  const Sample plain = profile(Life().then(Signal::dispatch, 14).then(Signal::retire, 30));
  EXPECT_FALSE(plain.stalled() || plain.new_stream());
}

TEST(ProfileMe, RetireDelayIsALowerBound) {
  for (const auto& [delay, expected] :
       {std::pair{0u, 0u}, std::pair{9u, 9u}, std::pair{16u, 16u}, std::pair{40u, 16u}}) {
    activity::alpha::Instruction more;
    more.inum_delay = delay;
    Life life(more);
    life.then(Signal::retire, 30);
    EXPECT_EQ(profile(life, 1, cycles_delay).pctr1(), expected) << "at most the window of 18 less 2";
  }
}

TEST(ProfileMe, RedirectionsShowInThePc) {
  for (const auto& [trap, pc] : {std::pair{Trap::itb_miss, 0x0581u}, std::pair{Trap::istream_access, 0x0481u},
                                 std::pair{Trap::interrupt, 0x0681u}}) {
    const Sample s = profile(Life().enters(trap, 20).then(Signal::kill, 20));
    EXPECT_EQ(s.pmpc & 0x7fff, pc);
    EXPECT_FALSE(s.trapped() || s.valid());
  }
  const Sample call = profile(Life(bit(Kind::call_pal)).enters(Trap::call_pal, 28).then(Signal::retire, 28));
  EXPECT_EQ(call.pmpc, 0x12340u);
  EXPECT_TRUE(call.valid());
}

TEST(ProfileMe, StopsUntilItIsWrittenAgain) {
  auto m = profiling(1, cycles_replay);
  Life life;
  life.then(Signal::retire, 30).others_fetched(40, 4).others_fetched(41, 4).others_fetched(42, 4);
  ASSERT_EQ(m->consume(life.block(), 0, 60).reached, 33u);
  m->interrupt_taken();
  const std::uint64_t before = get(*m, pctr_ctl);
  EXPECT_FALSE(m->consume(life.block(), 33, 60).interrupt_request);
  EXPECT_EQ(get(*m, pctr_ctl), before);
  put(*m, pctr_ctl, field(28, 0x100000 - 1) | 0x1c);
  EXPECT_EQ(get(*m, pmpc), 0x12340u) << "of the last one, until the next";
  EXPECT_EQ(get(*m, pctr_ctl) & 3, 0u);
}

TEST(ProfileMe, ACountThatIsOffChoosesNothing) {
  auto m = profiling(1, cycles_replay);
  put(*m, i_ctl, field(18, 3));  // without SPCE: only marked processes count
  Life life;
  life.then(Signal::retire, 30).change(State::process_marked, 20, 1);
  EXPECT_FALSE(m->consume(life.block(), 0, 60).interrupt_request);
}

}  // namespace
}  // namespace pmusim::testing::ev67
