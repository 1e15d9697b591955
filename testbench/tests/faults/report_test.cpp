// What is printed of a score: a made one, whose figures are added up by hand.
#include "testbench/faults/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pmusim::testbench::faults {
namespace {

using testing::HasSubstr;

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

TEST(MutationScore, ComesBackFromJson) {
  Score score = made();
  score.contradictions = {"one"};
  score.disagreements = {"two", "three"};
  score.verified = 9;
  EXPECT_EQ(packed(unpacked(packed(score))), packed(score));
}

}  // namespace
}  // namespace pmusim::testbench::faults
