// Samples of profiled instructions on the 21264A: windows by arithmetic, outcomes from the instruction's signals.
#include "testbench/oracle/profile.h"

#include <gtest/gtest.h>

#include <set>

#include "machine.h"

namespace pmusim::oracle::alpha {
namespace {

using namespace script;  // NOLINT
using alp::Kind;
using alp::Replay;
using alp::SystemCommand;
using alp::Trap;
namespace d = activity::detail;

AlphaInsn fetched(std::uint64_t id, Cycle at, std::initializer_list<Kind> kinds = {}) {
  AlphaInsn made = alpha_insn(kinds);
  made.record.id = id;
  made.record.ip = 0x1000 + 4 * id;
  made.record.tagged = at;
  return made;
}
/// Adds an instruction that is fetched in one cycle and ends in another with the given signal.
void live(AlphaMachine& m, AlphaInsn made, Signal end, Cycle at, unsigned detail = 0) {
  const std::uint32_t ref = m.add(made);
  m.happen(Signal::instruction_fetch, made.record.tagged, 0, 1, ref);
  m.happen(end, at, static_cast<std::uint16_t>(detail), 1, ref);
}
Sample only_sample(const AlphaMachine& m) {
  ProfileList list;
  list.consume(m.block);
  return list.sample(0, 1).value();
}

TEST(Profile, TheCounterSelectsByFetchedInstructions) {
  AlphaMachine m(60);
  for (std::uint64_t id = 0; id < 6; ++id) live(m, fetched(id, 10 + id / 4), Signal::retire, 30);
  ProfileList list;
  list.consume(m.block);
  EXPECT_EQ(list.sample(0, 1)->id, 0u);
  EXPECT_EQ(list.sample(10, 4)->id, 3u);
  EXPECT_EQ(list.sample(11, 1)->id, 4u);
  EXPECT_EQ(list.sample(11, 2)->pc, 0x1014u);
  EXPECT_FALSE(list.sample(11, 3));
  EXPECT_FALSE(list.sample(0, 0));
  list.forget(11);
  EXPECT_EQ(list.sample(11, 1)->id, 4u);
  EXPECT_FALSE(list.sample(11, 3));
}

TEST(Profile, AConditionalMoveIsTwoAndOneThatIsFetchedAgainIsAnother) {
  AlphaMachine m(60);
  const AlphaInsn move = fetched(1, 3, {Kind::conditional_move});
  const std::uint32_t ref = m.add(move);
  m.happen(Signal::instruction_fetch, 3, 0, 1, ref);
  m.happen(Signal::instruction_fetch, 4, 0, 1, ref);
  m.happen(Signal::kill, 9, 0, 1, ref);
  live(m, fetched(1, 20, {Kind::conditional_move}), Signal::retire, 33);
  ProfileList list;
  list.consume(m.block);
  EXPECT_EQ(list.sample(0, 2)->fetched, 4u);
  EXPECT_FALSE(list.sample(0, 2)->retired);
  EXPECT_EQ(list.sample(0, 2)->end, 9u);
  EXPECT_TRUE(list.sample(0, 3)->retired);
  EXPECT_EQ(list.sample(5, 1)->end, 33u);
}

TEST(Profile, TheWindowOpensFiveCyclesBehindTheFetchAndClosesTwoBehindTheEnd) {
  AlphaMachine m(60);
  const AlphaInsn other = fetched(1, 40);
  for (const Cycle at : {14, 15}) m.put(Signal::retire, at, other);
  live(m, fetched(0, 10), Signal::retire, 20);
  for (const Cycle at : {22, 23}) m.put(Signal::retire, at, other);
  for (const Cycle at : {14, 15, 15, 22, 23}) m.happen(Signal::replay_trap, at, 0);
  m.put(Signal::retire, 16, fetched(2, 41, {Kind::squashed}));
  for (const Cycle at : {12, 17, 19}) m.happen(Signal::l3_lookup, at, d::lookup_miss);
  m.happen(Signal::l3_lookup, 13, d::lookup_hit);
  m.happen(Signal::system_command, 14, static_cast<std::uint16_t>(SystemCommand::probe));
  m.happen(Signal::system_command, 16, static_cast<std::uint16_t>(SystemCommand::read));
  const Sample s = only_sample(m);
  EXPECT_EQ(s.window_begin, 15u);
  EXPECT_EQ(s.cycles(), 8u);       // 15 to 22
  EXPECT_EQ(s.retires, 3u);        // its own in 20, and 15 and 22
  EXPECT_EQ(s.replays, 2u);        // 15 and 22
  EXPECT_EQ(s.bcache_misses, 4u);  // 12 to 19: three misses and the probe
}

TEST(Profile, AnEarlyKillLeavesNoWindow) {
  AlphaMachine m(60);
  AlphaInsn i = fetched(0, 10);
  i.alpha.killed_early = true;
  live(m, i, Signal::kill, 12);
  const Sample s = only_sample(m);
  EXPECT_TRUE(s.killed_early && !s.retired && !s.trapped());
  EXPECT_EQ(s.cycles(), 0u);
}

// An instruction squashed at map neither retires nor aborts; one whose fetch ends in PALcode aborts.
TEST(Profile, ASquashedInstructionIsNoAbort) {
  AlphaMachine m(60);
  live(m, fetched(0, 10, {Kind::squashed}), Signal::kill, 17);
  const Sample s = only_sample(m);
  EXPECT_TRUE(s.squashed && !s.retired);
  EXPECT_EQ(statistic("PF67_PM_ABORT", {&s, 1}), 0u);
  ProfileList counted(1, false, true);
  counted.consume(m.block);
  EXPECT_FALSE(counted.sample(0, 1)->squashed) << "pmu.squashed_aborts=counted";
  AlphaMachine missed(60);
  live(missed, fetched(0, 10, {Kind::squashed}), Signal::pal_entry, 16, static_cast<unsigned>(Trap::itb_miss));
  EXPECT_FALSE(only_sample(missed).squashed);
}

TEST(Profile, TheDelayIsAtMostTheWindowLessTwo) {
  for (const auto& [delay, seen] : {std::pair<std::uint64_t, std::uint64_t>{4, 4}, {50, 6}}) {
    AlphaMachine m(60);
    AlphaInsn i = fetched(0, 10);
    i.alpha.inum_delay = delay;
    live(m, i, Signal::retire, 20);
    EXPECT_EQ(only_sample(m).delay, seen);
  }
}

TEST(Profile, WhatIsFetchedBehindItIsCountedTooMuch) {
  AlphaMachine m(60);
  for (std::uint64_t id = 0; id < 12; ++id) live(m, fetched(id, 10 + id / 4), Signal::retire, 30);
  ProfileList list;
  list.consume(m.block);
  EXPECT_EQ(list.sample(0, 1)->overcount, 7u);  // three and four
  EXPECT_EQ(list.sample(0, 4)->overcount, 4u);
  EXPECT_EQ(list.sample(0, 12)->overcount, 0u);
  AlphaMachine moves(60);
  for (std::uint64_t id = 0; id < 9; ++id) live(moves, fetched(id, 10), Signal::retire, 30);
  EXPECT_EQ(only_sample(moves).overcount, 7u);  // the maximum of the three-bit field
}

TEST(Profile, TrapsThatRetireAndTrapsThatAbort) {
  for (const Trap trap : {Trap::dtb_double_3, Trap::dtb_double_4, Trap::fp_disabled, Trap::unaligned, Trap::dtb_single,
                          Trap::dstream_fault, Trap::opcdec, Trap::machine_check, Trap::arithmetic, Trap::mt_fpcr}) {
    AlphaMachine m(60);
    live(m, fetched(0, 10), Signal::pal_entry, 20, static_cast<unsigned>(trap));
    const Sample s = only_sample(m);
    EXPECT_TRUE(s.trapped() && s.trap == trap);
    EXPECT_EQ(s.retired, trap == Trap::arithmetic || trap == Trap::mt_fpcr);
    EXPECT_EQ(s.end, 20u);
  }
  for (const Trap trap : {Trap::itb_miss, Trap::istream_access, Trap::interrupt}) {
    AlphaMachine m(60);
    live(m, fetched(0, 10), Signal::pal_entry, 20, static_cast<unsigned>(trap));
    EXPECT_TRUE(!only_sample(m).trapped() && only_sample(m).redirected() && !only_sample(m).retired);
  }
}

TEST(Profile, ACallOfPalcodeIsNoTrap) {
  AlphaMachine m(60);
  const std::uint32_t ref = m.add(fetched(0, 10, {Kind::call_pal}));
  m.happen(Signal::instruction_fetch, 10, 0, 1, ref);
  m.happen(Signal::pal_entry, 18, static_cast<std::uint16_t>(Trap::call_pal), 1, ref);
  m.happen(Signal::retire, 20, 0, 1, ref);
  const Sample s = only_sample(m);
  EXPECT_TRUE(s.retired && !s.trapped() && s.end == 20);
}

TEST(Profile, AMispredictedBranchTrapsWhereItResolvesUnlessItIsKilledBefore) {
  for (const Cycle killed : {Cycle{25}, Cycle{15}}) {
    AlphaMachine m(60);
    AlphaInsn branch = fetched(0, 10, {Kind::conditional_branch});
    branch.record.taken = true;
    const std::uint32_t ref = m.add(branch);
    m.happen(Signal::instruction_fetch, 10, 0, 1, ref);
    m.happen(Signal::branch_resolved, 18, 0, 1, ref);
    m.happen(killed == 25 ? Signal::retire : Signal::kill, killed, 0, 1, ref);
    const Sample s = only_sample(m);
    EXPECT_EQ(s.branch_mispredicted(), killed == 25);
    EXPECT_EQ(s.retired, killed == 25);
    EXPECT_EQ(s.end, killed == 25 ? 18u : 15u);
    EXPECT_EQ(s.taken, killed == 15);  // undefined for a mispredicted branch
  }
}

TEST(Profile, BlocksMayBeCutAnywhere) {
  AlphaMachine first(20), second(40, 20);
  AlphaInsn i = fetched(7, 12, {Kind::load});
  first.put(Signal::instruction_fetch, 12, i);
  i.alpha.map_stalled = true;
  second.put(Signal::dispatch, 22, i);
  i.alpha.replay = Replay::store_load_order;
  second.put(Signal::replay_trap, 30, i, static_cast<unsigned>(Replay::store_load_order));
  second.put(Signal::kill, 30, i);
  ProfileList list;
  list.consume(first.block);
  EXPECT_FALSE(list.sample(0, 1));
  list.consume(second.block);
  const Sample s = list.sample(0, 1).value();
  EXPECT_TRUE(s.map_stalled && s.trap == Trap::replay && s.replay == Replay::store_load_order && !s.retired);
}

Sample of_trap(Trap trap) {
  Sample s;
  s.trap = trap;
  return s;
}
/// A sample, and the statistics that it increments; its window has no cycles.
struct Case {
  Sample sample;
  std::string adds;
};

TEST(Profile, EachStatisticAddsItsSamplesAndNoOthers) {
  std::vector<Case> cases = {{of_trap(Trap::arithmetic), "ARITH_TRAP"},
                             {of_trap(Trap::dstream_fault), "DSTREAM_FAULT"},
                             {of_trap(Trap::dtb_single), "DTB_MISS"},
                             {of_trap(Trap::dtb_double_3), "DTB_MISS3"},
                             {of_trap(Trap::dtb_double_4), "DTB_MISS4"},
                             {of_trap(Trap::fp_disabled), "FP_DISABLED"},
                             {of_trap(Trap::unaligned), "LDST_ALIGN_TRAP"},
                             {of_trap(Trap::machine_check), "MCHK_TRAP"},
                             {of_trap(Trap::mispredict), "MISPREDICT"},
                             {of_trap(Trap::mt_fpcr), "MT_FPCR_TRAP"},
                             {of_trap(Trap::opcdec), "OPCDEC_TRAP"},
                             {of_trap(Trap::replay), "REPLAY_TRAP"},
                             {of_trap(Trap::reset), "RESET"}};
  for (Case& c : cases) c.adds += " TRAP ABORT";
  cases.push_back({of_trap(Trap::replay), "REPLAY_TRAP LDST_ORDER_TRAP TRAP ABORT"});
  cases.back().sample.replay = Replay::store_load_order;
  cases.push_back({of_trap(Trap::interrupt), "INTERRUPT ABORT"});
  cases.push_back({of_trap(Trap::istream_access), "ISTREAM_ACCVIO ABORT"});
  cases.push_back({of_trap(Trap::itb_miss), "ITB_MISS ABORT"});
  const auto with = [&](auto member, auto value, const std::string& adds) {
    Sample s;
    s.*member = value;
    cases.push_back({s, adds});
  };
  with(&Sample::retired, true, "RETIRE FREQ VALID");
  with(&Sample::squashed, true, "");
  with(&Sample::taken, true, "CBR_TAKEN ABORT");
  with(&Sample::killed_early, true, "EARLY_KILL ABORT");
  with(&Sample::fill_stream, true, "ICACHE_MISS ABORT");
  with(&Sample::map_stalled, true, "MAP_STALL ABORT");
  with(&Sample::window_end, Cycle{5}, "CYCLES=5 ABORT");
  with(&Sample::delay, std::uint64_t{3}, "DELAY=3 ABORT");
  with(&Sample::retires, std::uint64_t{8}, "INFLT_RETIRES=8 ABORT");
  with(&Sample::replays, std::uint64_t{2}, "INFLT_REPLAYS=2 ABORT");
  with(&Sample::bcache_misses, std::uint64_t{4}, "INFLT_BCACHE_MISS=4 ABORT");

  std::set<std::string> seen = {"ICACHE_PARITY"};  // no activity reports it
  for (const Case& c : cases) {
    const auto expected = rows_of(c.adds);
    for (const std::string_view name : profile_statistics()) {
      const std::string own(name.substr(std::string_view("PF67_PM_").size()));
      if (own.ends_with("_PER_RET")) continue;
      const auto found = expected.find(own);
      EXPECT_EQ(statistic(name, {&c.sample, 1}), found == expected.end() ? 0 : found->second) << c.adds << ": " << own;
      if (found != expected.end()) seen.insert(own);
    }
  }
  std::size_t ratios = 0;
  for (const std::string_view name : profile_statistics()) {
    const std::string own(name.substr(std::string_view("PF67_PM_").size()));
    ratios += own.ends_with("_PER_RET") ? 1 : 0;
    EXPECT_TRUE(own.ends_with("_PER_RET") || seen.contains(own)) << own;
  }
  EXPECT_EQ(profile_statistics().size(), 43u);  // numbers 1 to 43
  EXPECT_EQ(ratios, 11u);
  EXPECT_THROW((void)statistic("PF67_PM_NONE", {}), std::invalid_argument);
}

// pfm(7): "the ... statistic scaled by 100 and divided by the retired statistic", cycles unscaled. Three samples
// retire; one of these and the one that aborts have what the statistic counts.
TEST(Profile, RatiosPerRetirement) {
  struct Ratio {
    const char* name;
    void (*set)(Sample&);
    std::uint64_t value;
  };
  static constexpr std::uint64_t retired = 3, both = 2;
  static constexpr Ratio ratios[] = {{"ABORT", [](Sample&) {}, 1 * 100 / retired},
                                     {"CBR_TAKEN", [](Sample& s) { s.taken = true; }, both * 100 / retired},
                                     {"CYCLES", [](Sample& s) { s.window_end = 10; }, both * 10 / retired},
                                     {"DELAY", [](Sample& s) { s.delay = 7; }, both * 7 * 100 / retired},
                                     {"DTB_MISS", [](Sample& s) { s.trap = Trap::dtb_single; }, both * 100 / retired},
                                     {"EARLY_KILL", [](Sample& s) { s.killed_early = true; }, both * 100 / retired},
                                     {"ICACHE_MISS", [](Sample& s) { s.fill_stream = true; }, both * 100 / retired},
                                     {"MAP_STALL", [](Sample& s) { s.map_stalled = true; }, both * 100 / retired},
                                     {"MISPREDICT", [](Sample& s) { s.trap = Trap::mispredict; }, both * 100 / retired},
                                     {"REPLAY_TRAP", [](Sample& s) { s.trap = Trap::replay; }, both * 100 / retired},
                                     {"TRAP", [](Sample& s) { s.trap = Trap::unaligned; }, both * 100 / retired}};
  std::set<std::string> named;
  for (const Ratio& ratio : ratios) {
    const std::string name = std::string("PF67_PM_") + ratio.name + "_PER_RET";
    std::vector<Sample> samples(retired + 1);
    EXPECT_EQ(statistic(name, samples), 0u) << name << ": none retired";
    for (std::size_t i = 0; i < retired; ++i) samples[i].retired = true;
    if (name != "PF67_PM_ABORT_PER_RET") {
      EXPECT_EQ(statistic(name, samples), 0u) << name;
    }
    ratio.set(samples.front());
    ratio.set(samples.back());
    EXPECT_EQ(statistic(name, samples), ratio.value) << name;
    named.insert(name);
  }
  for (const std::string_view name : profile_statistics()) {
    if (name.ends_with("_PER_RET")) {
      EXPECT_TRUE(named.contains(std::string(name))) << name;
    }
  }
}

}  // namespace
}  // namespace pmusim::oracle::alpha
