// The runner of all faults; wrong bits, judged by the questions, and what is printed of them.
#include "testbench/faults/wrong_bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/faults/fault.h"
#include "testbench/faults/fields.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::faults {

namespace {

// Every live bit of an answer that counts cycles: flips select another event, turn the counter off, or select another
// process.
TEST(WrongBits, QuestionsJudgeThemAndTheAnswersAsTheyAre) {
  const Score score = noticed_by_questions("alpha-ev6", {.only = "PF6_MUX0_CYCLES,PF6_MUX0_RET_INSTRUCTIONS"});
  const Cell all = score.total();
  EXPECT_GT(score.questions, 2u);
  EXPECT_TRUE(score.disagreements.empty());
  // A plain question must notice at least both bits of COUNTERS, and SL0.
  EXPECT_GE(all.noticed, 2 * 3u);
  std::uint64_t by_rule = 0;
  for (const auto& [rule, count] : all.by_rule) by_rule += count;
  EXPECT_EQ(by_rule, all.equivalent);
  EXPECT_EQ(score.missed.size(), all.missed);
  for (const auto& [place, cell] : score.fields) EXPECT_FALSE(place.second.starts_with("reserved")) << place.second;
  EXPECT_TRUE(score.good(0));
  EXPECT_EQ(score.good(100), all.missed == 0);
}

// The select and the period of the 21064's other counter belong to no requested event.
TEST(WrongBits, OfACounterThatNothingIsAskedOf) {
  const Score score = noticed_by_questions("alpha-ev4", {.only = "PF_ISSUES"});
  const std::string reg = "WRPERFMON_SELECT";
  const Cell &other = score.fields.at({reg, "PCMUX1"}), &own = score.fields.at({reg, "PCMUX0"});
  EXPECT_EQ(other.equivalent, other.made());
  EXPECT_GT(own.noticed, 0u);
  EXPECT_FALSE(own.by_rule.contains("a counter for which no event was requested"));
  EXPECT_EQ(score.fields.at({reg, "PC0"}).equivalent, 0u);
}

// The bits of the sample make a difference; those that a rule calls equivalent come in addition, and some of them are
// judged.
TEST(WrongBits, ASampleIsAsLargeAsAskedFor) {
  if (sanitized) GTEST_SKIP() << "the test above has all of it";
  const Score score = noticed_by_questions("ppc750gx", {.only = "L2_", .sample = 100});
  const Cell all = score.total();
  EXPECT_EQ(all.noticed + all.missed, 100u);
  EXPECT_GT(all.equivalent, score.checked);
  EXPECT_GT(score.checked, 0u);
  EXPECT_TRUE(score.contradictions.empty());
}

TEST(WrongBits, AreTheSameForAnyNumberOfProcesses) {
  if (sanitized) GTEST_SKIP() << "the two processes' work is what the tests above do";
  const WrongBitOptions one{.only = "L1_", .sample = 100, .jobs = 1};
  WrongBitOptions two = one;
  two.jobs = 2;
  std::ostringstream of_one, of_two;
  print_scores(of_one, {{"ppc750gx", noticed_by_questions("ppc750gx", one)}}, Format::json);
  print_scores(of_two, {{"ppc750gx", noticed_by_questions("ppc750gx", two)}}, Format::json);
  EXPECT_EQ(of_one.str(), of_two.str());
}

TEST(WrongBits, TwoSharesMakeTheWhole) {
  if (sanitized) GTEST_SKIP() << "as above";
  const WrongBitOptions whole{.only = "PF6_MUX0_CYCLES"};
  WrongBitOptions first = whole, second = whole;
  first.shards = second.shards = second.shard = 2;
  Cell sum = noticed_by_questions("alpha-ev6", first).total();
  sum.add(noticed_by_questions("alpha-ev6", second).total());
  const Cell all = noticed_by_questions("alpha-ev6", whole).total();
  EXPECT_EQ(sum.noticed, all.noticed);
  EXPECT_EQ(sum.missed, all.missed);
  EXPECT_EQ(sum.by_rule, all.by_rule);
}

// What is printed of a score: a made one, whose figures are added up by hand.

using ::testing::HasSubstr;

/// 20 wrong bits: 7 noticed, 11 equal by a rule, 2 missed.
Score made() {
  Score score;
  score.fields[{"MMCR0", "DIS"}] = {3, 1, 0, {{"nothing counts", 1}}};
  score.fields[{"MMCR1", "PMC3SELECT"}] = {4, 10, 2, {{"nothing counts", 4}, {"reserved code", 6}}};
  score.questions = 5;
  score.checked = 3;
  score.missed = {{"SPECULATIVE_LOADS", "MMCR1 PMC3SELECT: bit 27 flipped", "MMCR1=0x8000000"}};
  return score;
}

/// The lines of JSON, by the value of the first of these keys that they have: field, rule, survivor.
std::map<std::string, Json> rows_of() {
  std::ostringstream out;
  print_scores(out, {{"ppc750gx", made()}}, Format::json);
  std::map<std::string, Json> rows;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    const auto name = [&]() -> std::string {
      for (const char* key : {"field", "rule", "survivor"}) {
        if (row.contains(key)) return row.at(key);
      }
      return "total";
    };
    rows[name()] = row;
  }
  return rows;
}

TEST(MutationReport, AddsUpFieldsRulesAndTotals) {
  const auto rows = rows_of();
  const Json &select = rows.at("PMC3SELECT"), &total = rows.at("total");
  EXPECT_EQ(select.at("made"), 16);
  EXPECT_EQ(select.at("equivalent"), 10);
  EXPECT_EQ(select.at("equivalent_share"), "62.5%") << "10 of 16";
  EXPECT_EQ(select.at("rules"), "nothing counts 4, reserved code 6");
  EXPECT_EQ(total.at("made"), 20);
  EXPECT_EQ(total.at("noticed"), 7);
  EXPECT_EQ(total.at("equivalent"), 11);
  EXPECT_EQ(total.at("survived"), 2);
  EXPECT_EQ(total.at("score"), "77.8%") << "7 of 9";
  EXPECT_EQ(total.at("checked"), 3);
  EXPECT_EQ(rows.at("SPECULATIVE_LOADS").at("registers"), "MMCR1=0x8000000");
}

TEST(MutationReport, SaysWhichShareARuleExcusesAndItsSource) {
  const auto rows = rows_of();
  const Json &nothing = rows.at("nothing counts"), &reserved = rows.at("reserved code");
  EXPECT_EQ(nothing.at("excused"), 5);
  EXPECT_EQ(nothing.at("share"), "25.0%");
  EXPECT_EQ(reserved.at("excused"), 6);
  EXPECT_EQ(reserved.at("share"), "30.0%");
  EXPECT_THAT(reserved.at("source").get<std::string>(), HasSubstr("tables 11-2 to 11-5"));
  EXPECT_THAT(reserved.at("choices").get<std::string>(), HasSubstr("pmu.pmc1_13=holds"));
}

TEST(MutationReport, InText) {
  std::ostringstream text, csv;
  print_scores(text, {{"ppc750gx", made()}}, Format::text);
  EXPECT_THAT(text.str(), HasSubstr("not noticed: ppc750gx SPECULATIVE_LOADS: MMCR1 PMC3SELECT: bit 27 flipped"));
  EXPECT_THAT(text.str(), HasSubstr("noticed"));
  print_scores(csv, {{"ppc750gx", made()}}, Format::csv);
  EXPECT_THAT(csv.str(), HasSubstr("ppc750gx,MMCR1,PMC3SELECT,16,4,10,2,62.5%,"));
  std::ostringstream page;
  print_markdown(page, {{"ppc750gx", made()}});
  EXPECT_EQ(page.str(), "| ppc750gx | 9 | 7 | 2 | 77.8% | 11 |\n");
}

TEST(MutationScore, AFaultyRuleOrAWrongUnchangedAnswerIsNotGood) {
  EXPECT_TRUE(made().good(77));
  EXPECT_FALSE(made().good(78));
  Score contradicted = made(), disagreeing = made();
  contradicted.contradictions = {"one"};
  disagreeing.disagreements = {"one"};
  EXPECT_FALSE(contradicted.good(0));
  EXPECT_FALSE(disagreeing.good(0));
}

// The fields by which wrong bits are listed.

std::uint64_t mask_of(const std::string& target, const std::string& reg, unsigned width, const std::string& name) {
  for (const Field& field : fields_of(target, reg, width)) {
    if (field.name == name) return field.mask();
  }
  return 0;
}

// IBM numbers bits from the most significant one: PMC1SELECT is 19:25 of 32.
TEST(Fields, OfPowerPcAreCountedFromTheTop) { EXPECT_EQ(mask_of("ppc750gx", "MMCR0", 32, "PMC1SELECT"), 0x1fc0u); }

// 22007E p. 162, figure 11.
TEST(Fields, OfTheAthlon) {
  EXPECT_EQ(mask_of("athlon", "PerfEvtSel0", 64, "UNIT_MASK"), 0xff00u);
  EXPECT_EQ(mask_of("athlon", "PerfEvtSel0", 64, "CNT_MASK"), 0xff000000u);
}

TEST(Fields, CoverEveryBitOnce) {
  std::uint64_t seen = 0;
  for (const Field& field : fields_of("athlon", "PerfEvtSel1", 64)) {
    EXPECT_EQ(seen & field.mask(), 0u) << field.name;
    seen |= field.mask();
  }
  EXPECT_EQ(seen, ~std::uint64_t{0});
}

TEST(Stems, AreNamesWithoutNumbers) {
  EXPECT_EQ(stem("PerfEvtSel0"), "PerfEvtSel#");
  EXPECT_EQ(stem("PMC12"), stem("PMC4"));
  EXPECT_EQ(stem("DIS"), "DIS");
}

// Of six faults the first stage notices 1, the second 0 and 2; rules excuse 2, 3 and 4.
TEST(Runner, GivesEachFaultTheVerdictOfTheFirstThatTells) {
  std::vector<Trial> trials(6, {"part", {"fault"}});
  for (std::size_t excused = 2; excused < 5; ++excused) trials[excused].excuse = "a rule";
  const auto first = [](const Numbers& open, const Tell& tell) {
    EXPECT_EQ(open.size(), 6u);
    tell(1, Verdict::quick, "first");
  };
  const auto second = [](const Numbers& open, const Tell& tell) {
    EXPECT_EQ(open, (Numbers{0, 2, 3, 4, 5}));
    for (const std::size_t noticed : {0, 1, 2}) tell(noticed, Verdict::all, "second");
  };
  try_faults(trials, {first, second});
  EXPECT_EQ(tally_of(trials),
            (Tally{{Verdict::quick, 1}, {Verdict::all, 2}, {Verdict::excused, 2}, {Verdict::missed, 1}}));
  EXPECT_EQ(trials[1].by, "first") << "a second stage changes nothing";
  EXPECT_TRUE(trials[2].contradicts()) << "noticed, though a rule says that nothing can show";
  EXPECT_FALSE(trials[1].contradicts() || trials[3].contradicts());
  EXPECT_EQ(trials[3].by, "a rule");
}

}  // namespace

}  // namespace pmusim::testbench::faults
