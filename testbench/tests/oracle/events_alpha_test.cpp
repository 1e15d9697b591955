// Every row of the five Alphas: each stimulus must count in its rows and in no other; a broken rule must be noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "machine.h"

namespace pmusim::oracle::alpha {
namespace {

using namespace script;  // NOLINT
using alp::IssueStall;
using alp::Kind;
using alp::SystemCommand;
namespace ad = activity::alpha::detail;

const std::string targets[] = {"alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};
/// Rows that also count in cycles without any occurrence.
const std::set<std::string> always = {"PF_CYCLES",
                                      "PF_NONISSUES",
                                      "PF5_MUX0_CYCLES",
                                      "PF5_MUX2_C_CYCLES",
                                      "PF6_MUX0_CYCLES",
                                      "PF6_MUX1_CYCLES",
                                      "PF6_MUX1_RET_BRANCH_MISPREDICTS",
                                      "CYCLES0",
                                      "CYCLES1"};
// Rows in pfm(7) and the headers: 9 + 8; 2 + 15 + 14 + 7 + 8; 2 + 15 + 14 + 7 + 8; 2 + 8; 5.
constexpr std::size_t row_counts[] = {17, 46, 46, 10, 5};

const ParameterLookup defaults = Values{{"pmu.long_stall", 15}};

/// All stimuli, the n-th one 1 + n % 5 times in succession or each `at_once` times in its cycle.
AlphaMachine everything(unsigned at_once) {
  Cycle end = alpha_length;
  for (std::size_t i = 0; i < alpha_stimuli().size(); ++i) end += (at_once > 1 ? 1 : 1 + i % 5) * alpha_length;
  AlphaMachine machine(end);
  Cycle at = 0;
  for (std::size_t i = 0; i < alpha_stimuli().size(); ++i) {
    for (std::size_t n = 0; n < (at_once > 1 ? 1 : 1 + i % 5); ++n, at += alpha_length) {
      for (unsigned k = 0; k < at_once; ++k) alpha_stimuli()[i].act(machine, at + 5);
    }
  }
  const auto by_time = [](auto& entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  };
  for (auto& column : machine.block.columns) by_time(column);
  for (auto& state : machine.block.states) by_time(state.changes);
  return machine;
}

TEST(AlphaEvents, CountTheirOccurrencesAndNoOthers) {
  for (const std::string& target : targets) {
    for (const AlphaStimulus& stimulus : alpha_stimuli()) {
      AlphaMachine machine(alpha_length);
      stimulus.act(machine, 5);
      auto expected = rows_of(stimulus.rows(target));
      for (const EventName& name : events(target)) {
        const std::string row(name.name);
        if (always.contains(row)) expected.try_emplace(row, alpha_length);
        const Tally tally = count(target, row_of(row), machine.block, defaults);
        const bool odd = tally.half;
        EXPECT_EQ(tally.expected, expected.contains(row) ? expected.at(row) : 0)
            << target << " " << stimulus.what << " " << row;
        EXPECT_FALSE(odd && stimulus.what != "three issue") << stimulus.what << " " << row;
        expected.erase(row);
      }
      EXPECT_TRUE(expected.empty()) << target << " " << stimulus.what << ": no row " << expected.begin()->first;
    }
  }
}

TEST(AlphaEvents, HaveAStimulusEach) {
  for (std::size_t t = 0; t < std::size(targets); ++t) {
    std::set<std::string> tested = always, known;
    for (const AlphaStimulus& s : alpha_stimuli()) {
      for (const auto& [name, n] : rows_of(s.rows(targets[t]))) tested.insert(name);
    }
    for (const EventName& name : events(targets[t])) known.insert(std::string(name.name));
    EXPECT_EQ(known.size(), row_counts[t]) << targets[t];
    for (const std::string& name : known) {
      const bool reserved = targets[t] == "alpha-pca56" && name == "PF5_MUX2_C_EXTERNAL";
      EXPECT_NE(tested.contains(name), reserved) << targets[t] << " " << name;
    }
  }
}

TEST(AlphaEvents, BreakagesAreNoticed) {
  const AlphaMachine machine = everything(1), dense = everything(20);
  AlphaMachine two_wrong(alpha_length);
  AlphaInsn branch = alpha_insn({Kind::conditional_branch});
  branch.record.mispredicted = true;
  for (int n = 0; n < 2; ++n) two_wrong.put(Signal::retire, 5, branch);
  for (const std::string& target : targets) {
    EXPECT_GT(breakages(target).size(), events(target).size()) << target;
    for (const Breakage& breakage : breakages(target)) {
      Request request = row_of(breakage.event);
      if (breakage.kind == Breakage::Kind::unfiltered) request.alpha.flow = alpha::Flow::jumps;
      const bool many = breakage.kind == Breakage::Kind::uncapped;
      // By default this row counts no branches; its bound shows only with the parameter value under which it does.
      const bool holds = many && breakage.event == "PF6_MUX1_RET_BRANCH_MISPREDICTS";
      const ParameterLookup parameters = holds ? Values{{"pmu.ret_mispredicts", 1}} : defaults;
      const auto right = make_counter(target, {request}, parameters);
      const auto wrong = make_broken_counter(target, {request}, parameters, breakage);
      for (const auto& counter : {std::cref(right), std::cref(wrong)}) {
        counter.get()->consume(holds                                           ? two_wrong.block
                               : many || breakage.kind == Breakage::Kind::lost ? dense.block
                                                                               : machine.block);
      }
      const bool noticed = right->tally(0).expected != wrong->tally(0).expected;
      EXPECT_TRUE(noticed) << target << " " << breakage.text();
    }
  }
}

TEST(AlphaEvents, CountTheSameInStretches) {
  std::mt19937 random(1);
  for (const unsigned at_once : {1u, 20u}) {
    const AlphaMachine machine = everything(at_once);
    for (const std::string& target : targets) {
      for (const EventName& name : events(target)) {
        const auto whole = make_counter(target, {row_of(std::string(name.name))}, defaults);
        const auto pieces = make_counter(target, {row_of(std::string(name.name))}, defaults);
        whole->consume(machine.block);
        for (Cycle from = 0, to = 0; from < machine.block.end; from = to) {
          to = std::min<Cycle>(machine.block.end, from + 1 + random() % (random() % 2 == 0 ? 900 : 8));
          pieces->consume(machine.block, from, to);
        }
        EXPECT_EQ(pieces->tally(0).expected, whole->tally(0).expected) << name.name;
        EXPECT_EQ(pieces->tally(0).half, whole->tally(0).half) << name.name;
      }
    }
  }
}

TEST(AlphaEvents, HalvesAreExactAndInterruptAtWholeEvents) {
  AlphaMachine machine(10);
  for (const Cycle at : {1, 3, 3, 7}) machine.put(Signal::issue, at, {});
  const auto counter = make_counter("alpha-ev4", {row_of("PF_ISSUES")}, defaults);
  counter->watch(0, 1, 1);
  counter->consume(machine.block);
  EXPECT_EQ(counter->tally(0).expected, 2u);  // four half events
  EXPECT_FALSE(counter->tally(0).half);
  EXPECT_EQ(counter->crossings(0), (std::vector<Cycle>{3, 7}));
  machine.put(Signal::issue, 9, {});
  const Tally five = count("alpha-ev4", row_of("PF_ISSUES"), machine.block, defaults);
  const Tally rest = count("alpha-ev4", row_of("PF_NONISSUES"), machine.block, defaults);
  EXPECT_TRUE(five.expected == 2 && five.half);
  EXPECT_TRUE(rest.expected == 7 && rest.half);  // 10 cycles minus 5 halves
  EXPECT_EQ(interrupts(8191, 4096), 1u);
}

// Which mode bit disables which mode: AAH table E-17; the operating system's user code runs in executive mode.
TEST(AlphaEvents, ModesOfThe21164) {
  AlphaMachine machine(10);  // kernel 0-3, supervisor 4, user 5-6, PALcode called by the user 7-9
  machine.state(State::cpl, 4, 2);
  machine.state(State::cpl, 5, 3);
  machine.state(State::pal_mode, 7, 1);
  const auto cycles = [&](bool user, bool kernel, bool pal, bool es, std::int64_t user_is_user) {
    Request r = row_of("PF5_MUX0_CYCLES");
    r.user = user;
    r.kernel = kernel;
    r.alpha.pal = pal;
    r.alpha.executive_and_supervisor = es;
    return count("alpha-ev5", r, machine.block, Values{{"pmu.os_user_mode", user_is_user}}).expected;
  };
  EXPECT_EQ(cycles(true, true, true, false, 0), 10u);
  EXPECT_EQ(cycles(true, true, false, false, 0), 7u);
  EXPECT_EQ(cycles(false, true, true, false, 0), 10u);
  EXPECT_EQ(cycles(false, true, false, false, 0), 7u);
  EXPECT_EQ(cycles(true, false, true, false, 0), 3u);
  EXPECT_EQ(cycles(true, false, false, false, 0), 0u);
  EXPECT_EQ(cycles(false, false, true, false, 0), 3u);
  EXPECT_EQ(cycles(false, false, false, true, 0), 3u);
  EXPECT_EQ(cycles(true, false, false, false, 1), 2u);
  EXPECT_EQ(cycles(false, true, false, false, 1), 5u);
  EXPECT_EQ(cycles(false, false, false, true, 1), 1u);
  EXPECT_THROW(cycles(true, false, false, true, 0), std::invalid_argument);
  Request user = row_of("PF_CYCLES");
  user.kernel = false;
  EXPECT_THROW(count("alpha-ev4", user, machine.block), std::invalid_argument);
}

TEST(AlphaEvents, MarkedProcesses) {
  AlphaMachine machine(10);
  machine.state(State::process_marked, 6, 1);
  for (const std::string& target : targets) {
    Request r = row_of(std::string(*std::find_if(always.begin(), always.end(), [&](const std::string& name) {
      const auto& names = events(target);
      return std::any_of(names.begin(), names.end(), [&](const EventName& e) { return e.name == name; });
    })));
    r.marked = true;
    EXPECT_EQ(count(target, r, machine.block).expected, 4u) << target;
    r.marked = false;
    EXPECT_THROW(count(target, r, machine.block), std::invalid_argument) << target;
  }
  Request r = row_of("PF_CYCLES");
  r.marked = true;
  EXPECT_EQ(count("alpha-ev4", r, machine.block, Values{{"pmu.selective_counting", 1}}).expected, 10u);
}

TEST(AlphaEvents, FlowOfTheWantedKind) {
  const AlphaMachine machine = everything(1);
  const auto& all = alpha_stimuli();
  const auto times = [&](const std::string& what) -> std::uint64_t {
    const auto s = std::find_if(all.begin(), all.end(), [&](const AlphaStimulus& x) { return x.what == what; });
    return 2 * (1 + static_cast<std::uint64_t>(s - all.begin()) % 5);
  };
  Request r = row_of("PF5_MUX1_FLOW_CHANGE");
  r.alpha.flow = alpha::Flow::jumps;
  EXPECT_EQ(count("alpha-ev5", r, machine.block, defaults).expected, times("jump"));
  r.alpha.flow = alpha::Flow::conditional_branches;
  EXPECT_EQ(count("alpha-pca56", r, machine.block, defaults).expected, times("conditional branch"));
}

TEST(AlphaEvents, ElevenRetireAtOnceAndNoneIsLost) {
  AlphaMachine machine(10);
  for (unsigned i = 0; i < 11; ++i) machine.put(Signal::retire, 4, {});
  const auto counter = make_counter("alpha-ev67", {row_of("RETINST")}, defaults);
  counter->watch(0, 8, 3);
  counter->consume(machine.block);
  EXPECT_EQ(counter->tally(0).expected, 11u);
  EXPECT_EQ(counter->crossings(0), (std::vector<Cycle>{4, 5}));
}

TEST(AlphaEvents, OtherChoices) {
  AlphaMachine machine(40);
  machine.stall(2, 16, IssueStall::registers);
  machine.state(State::pins, 20, 1);
  AlphaInsn wrong = alpha_insn({Kind::conditional_branch});
  wrong.record.mispredicted = true;
  machine.put(Signal::retire, 5, wrong);
  machine.put(Signal::retire, 6, alpha_insn({Kind::conditional_branch}));
  machine.happen(Signal::system_command, 7, static_cast<unsigned>(SystemCommand::read) | ad::system_hit);
  const auto counted_with = [&](const std::string& target, const std::string& name, std::string_view parameter,
                                std::int64_t value) {
    return count(target, row_of(name), machine.block, Values{{parameter, value}}).expected;
  };
  EXPECT_EQ(counted_with("alpha-ev5", "PF5_MUX2_C_LONG_STALLS", "pmu.long_stall", 15), 1u);
  EXPECT_EQ(counted_with("alpha-ev5", "PF5_MUX2_C_LONG_STALLS", "pmu.long_stall", 16), 0u);
  for (const Cycle at : {2, 3, 9, 10, 30}) machine.happen(Signal::pin_assert, at, 1);
  EXPECT_EQ(counted_with("alpha-ev4", "PF_EXTPIN1", "pmu.pin_clock", 1), 5u);
  EXPECT_EQ(counted_with("alpha-ev4", "PF_EXTPIN1", "pmu.pin_clock", 8), 3u);
  EXPECT_EQ(counted_with("alpha-ev4", "PF_EXTPIN0", "pmu.pin_clock", 8), 0u);
  EXPECT_EQ(counted_with("alpha-pca56", "PF5_MUX2_C_EXTERNAL", "pmu.pca56_external", 0), 0u);
  EXPECT_EQ(counted_with("alpha-pca56", "PF5_MUX2_C_EXTERNAL", "pmu.pca56_external", 1), 20u);
  EXPECT_EQ(counted_with("alpha-pca56", "PF5_MUX2_C_SYS_READ_FLUSH_MISS", "pmu.sys_read_flush", 1), 0u);
  EXPECT_EQ(counted_with("alpha-ev6", "PF6_MUX1_RET_BRANCH_MISPREDICTS", "pmu.ret_mispredicts", 0), 40u);
  EXPECT_EQ(counted_with("alpha-ev6", "PF6_MUX1_RET_BRANCH_MISPREDICTS", "pmu.ret_mispredicts", 1), 1u);
}

}  // namespace
}  // namespace pmusim::oracle::alpha
