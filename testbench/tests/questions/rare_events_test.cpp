// Answers with one wrong bit that only a thorough exam of a rare event shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "examined.h"

namespace pmusim::testbench::questions {
namespace {

/// The verdict on our own encoder's answer to a question of the Itanium 2, with a bit of a register inverted.
std::string verdict_on(const std::string& text, const std::string& reg, unsigned bit, bool thorough = true) {
  static const std::vector<Question> all = questions_of("itanium2", Extent::full);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Question& question) { return question.group.question() == text; });
  if (found == all.end()) return "no such question";
  Exam exam = exam_of("itanium2");
  exam.thorough = thorough;
  exam.questions = {*found};
  exam.answers = {own_encoder()->encode("itanium2", found->group)};
  for (encoder::RegisterValue& own : exam.answers[0].registers) own.value ^= own.name == reg ? 1ull << bit : 0;
  return examine(exam).questions.front().verdict;
}

// Traces run at level 3: an event of level 1 counts in another privilege context only, and then overflows.
TEST(RareEvents, CountSomewhere) {
  EXPECT_EQ(verdict_on("IA64_INST_RETIRED:plm=2 -0 -1 -3", "", 0), "ok");
  EXPECT_EQ(verdict_on("IA64_INST_RETIRED:plm=2 -0 -1 -3", "PMC6", 5), "mismatch");
  EXPECT_EQ(verdict_on("IA64_INST_RETIRED:plm=2 -0 -1 -3", "PMC6", 5, false), "ok");
}

// Fetches of 4,096 cycles occur in none of the blocks that all answers run on, and never as IA-32 code.
TEST(RareEvents, AreJudgedOnAllOfTheirTrace) {
  EXPECT_EQ(verdict_on("L1I_EAR_CACHE_LAT4096:plm=6 -0 -1 -3 sampled", "", 0), "ok");
  EXPECT_EQ(verdict_on("L1I_EAR_CACHE_LAT4096:plm=6 -0 -1 -3 sampled", "PMC6", 25), "mismatch");
}

// The data EAR captures loads although the event is one of the instruction EAR.
TEST(RareEvents, OfOneUnitLeaveTheOtherAlone) {
  EXPECT_EQ(verdict_on("L1I_EAR_TLB_ALL:plm=6 -0 -1 -3 sampled", "", 0), "ok");
  EXPECT_EQ(verdict_on("L1I_EAR_TLB_ALL:plm=6 -0 -1 -3 sampled", "PMC11", 0), "mismatch");
}

// A range of four blocks: bit 17 of the second block's mask.
TEST(RareEvents, InEachBlockOfADataRange) {
  EXPECT_EQ(verdict_on("--drange 0x3333333333333308-0x3333333333333350 LOADS_RETIRED", "", 0), "ok");
  EXPECT_EQ(verdict_on("--drange 0x3333333333333308-0x3333333333333350 LOADS_RETIRED", "DBR3", 17), "mismatch");
}

}  // namespace
}  // namespace pmusim::testbench::questions
