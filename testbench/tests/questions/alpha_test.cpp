// Questions about the Alphas: every pair of multiplexers, every statistic of profiled instructions.
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {
namespace {

using Names = std::set<std::string>;

bool is_in(const std::vector<Question>& questions, const Names& events) {
  return std::any_of(questions.begin(), questions.end(),
                     [&](const Question& question) { return events_of(question) == events; });
}

Names rows_with(const std::string& target, const std::string& prefix) {
  Names names;
  for (const oracle::EventName& event : oracle::events(target)) {
    if (event.name.starts_with(prefix)) names.emplace(event.name);
  }
  return names;
}

void expect_every_pair(const std::string& target, const Names& first, const Names& second) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const Question& question : legal_questions(target)) {
    for (const std::string& a : events_of(question)) {
      for (const std::string& b : events_of(question)) pairs.emplace(a, b);
    }
  }
  for (const std::string& a : first) {
    for (const std::string& b : second) {
      // 21164PC: CBOX1 narrows FLOW_CHANGE to mispredictions of that kind.
      const bool narrowed =
          a == "PF5_MUX1_FLOW_CHANGE" && (b == "PF5_MUX2_C_PC_MISPR" || b == "PF5_MUX2_C_BRANCH_MISPREDICTS");
      EXPECT_EQ(pairs.contains({a, b}), !narrowed) << target << ' ' << a << ' ' << b;
    }
  }
}

// Manual of the 21064: PCMUX0 selects one of nine events, PCMUX1 one of eight.
TEST(MuxPairs, OfThe21064) {
  const Names first{"PF_ISSUES", "PF_PIPEDRY", "PF_LOADI",     "PF_PIPEFROZEN", "PF_BRANCHI",
                    "PF_CYCLES", "PF_PALMODE", "PF_NONISSUES", "PF_EXTPIN0"};
  const Names second{"PF_DCACHE", "PF_ICACHE", "PF_DUAL",   "PF_BRANCHMISS",
                     "PF_FPINST", "PF_INTOPS", "PF_STOREI", "PF_EXTPIN1"};
  EXPECT_EQ(rows_with("alpha-ev4", "PF_").size(), first.size() + second.size());
  expect_every_pair("alpha-ev4", first, second);
}

// Manual of the 21264: SL0 has two events, SL1 eight.
TEST(MuxPairs, OfThe21264) {
  const Names first = rows_with("alpha-ev6", "PF6_MUX0_"), second = rows_with("alpha-ev6", "PF6_MUX1_");
  EXPECT_EQ(first.size(), 2u);
  EXPECT_EQ(second.size(), 8u);
  expect_every_pair("alpha-ev6", first, second);
}

// Manuals of the 21164 and 21164PC: three counters. SEL0 has two events.
TEST(MuxPairs, OfThe21164s) {
  for (const std::string target : {"alpha-ev5", "alpha-pca56"}) {
    const Names zero = rows_with(target, "PF5_MUX0_"), one = rows_with(target, "PF5_MUX1_"),
                two = rows_with(target, "PF5_MUX2_");
    EXPECT_EQ(zero.size(), 2u);
    EXPECT_EQ(one.size() + two.size(), 44u);
    expect_every_pair(target, zero, one);
    expect_every_pair(target, zero, two);
    expect_every_pair(target, one, two);
  }
}

// Manual of the 21264A, 6.10.2: SL0 and SL1 select pairs. Retired instructions go with cycles or board-level misses,
// cycles with replay traps; no other pair can be selected.
TEST(MuxPairs, OfThe21264A) {
  const auto legal = legal_questions("alpha-ev67"), illegal = illegal_questions("alpha-ev67");
  const std::set<Names> pairs{{"RETINST", "CYCLES1"}, {"RETINST", "BCACHEMISSES"}, {"CYCLES0", "REPLAY"}};
  for (const char* first : {"RETINST", "CYCLES0"}) {
    for (const char* second : {"CYCLES1", "BCACHEMISSES", "REPLAY"}) {
      const Names pair{first, second};
      EXPECT_EQ(is_in(legal, pair), pairs.contains(pair)) << first << ' ' << second;
      EXPECT_EQ(is_in(illegal, pair), !pairs.contains(pair)) << first << ' ' << second;
    }
  }
}

// The statistics of DCPI's manual page for the 21264A. Those of parity errors and of page tables with four levels count
// nothing here.
TEST(ProfileMe, EveryStatisticIsAsked) {
  std::istringstream words(
      "ABORT ABORT_PER_RET ARITH_TRAP CBR_TAKEN CBR_TAKEN_PER_RET CYCLES CYCLES_PER_RET DELAY "
      "DELAY_PER_RET DSTREAM_FAULT DTB_MISS DTB_MISS_PER_RET DTB_MISS3 EARLY_KILL EARLY_KILL_PER_RET "
      "FP_DISABLED FREQ ICACHE_MISS ICACHE_MISS_PER_RET INFLT_BCACHE_MISS INFLT_REPLAYS INFLT_RETIRES "
      "INTERRUPT ISTREAM_ACCVIO ITB_MISS LDST_ALIGN_TRAP LDST_ORDER_TRAP MAP_STALL MAP_STALL_PER_RET "
      "MCHK_TRAP MISPREDICT MISPREDICT_PER_RET MT_FPCR_TRAP OPCDEC_TRAP REPLAY_TRAP REPLAY_TRAP_PER_RET "
      "RESET RETIRE TRAP TRAP_PER_RET VALID");
  const Names due{std::istream_iterator<std::string>(words), {}};
  for (const auto extent : {Extent::quick, Extent::full}) {
    Names asked;
    for (const Question& question : legal_questions("alpha-ev67", extent)) {
      if (question.group.sampled && question.group.sampled->by == Sampled::By::profile_me)
        asked.insert(events_of(question).begin()->substr(8));  // PF67_PM_
    }
    EXPECT_EQ(asked.size(), 41u);
    EXPECT_EQ(asked, due);
  }
}

}  // namespace
}  // namespace pmusim::testbench::questions
