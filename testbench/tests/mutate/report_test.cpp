// What is printed of a score: a made one, whose figures are added up by hand, and the word for a kill.
#include "testbench/mutate/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "testbench/mutate/command.h"

namespace pmusim::testbench::mutate {
namespace {

using testing::HasSubstr;
using testing::Not;

/// 22 reserved bits and 20 live ones: 7 killed, 11 equal by a rule, 2 survived.
Score made() {
  Score score;
  score.fields[{"MMCR0", "DIS"}] = {3, 1, 0, {{"nothing counts", 1}}};
  score.fields[{"MMCR1", "PMC3SELECT"}] = {4, 10, 2, {{"nothing counts", 4}, {"reserved code", 6}}};
  score.fields[{"MMCR1", "reserved 10:31"}] = {0, 22, 0, {{"reserved bit", 22}}};
  for (const auto& [place, cell] : score.fields) score.by_kind[static_cast<std::size_t>(Kind::bit)].add(cell);
  score.requests = 5;
  return score;
}

/// The lines of JSON, by the value of the first of these keys that they have: field, rule, requests.
std::map<std::string, Json> rows_of(const Told& told) {
  std::ostringstream out;
  print_scores(out, {{"ppc750gx", made()}}, told, Format::json);
  std::map<std::string, Json> rows;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    rows[row.contains("field") ? row.at("field") : row.contains("rule") ? row.at("rule") : Json("total")] = row;
  }
  return rows;
}

std::size_t times(const std::string& part, const std::string& text) {
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++number;
  return number;
}

TEST(MutationReport, CountsReservedBitsApart) {
  const auto rows = rows_of("noticed");
  const Json &reserved = rows.at("reserved 10:31"), &select = rows.at("PMC3SELECT"), &total = rows.at("total");
  EXPECT_EQ(reserved.at("padding"), 22);
  EXPECT_EQ(reserved.at("equivalent"), 0);
  EXPECT_EQ(reserved.at("reserved_bits"), "22 of 22");
  EXPECT_EQ(reserved.at("equivalent_share"), "") << "of no live mutant";
  EXPECT_EQ(select.at("padding"), 0);
  EXPECT_EQ(select.at("equivalent"), 10);
  EXPECT_EQ(select.at("equivalent_share"), "62.5%") << "10 of 16";
  EXPECT_EQ(select.at("rules"), "nothing counts 4, reserved code 6");
  EXPECT_EQ(total.at("made"), 42);
  EXPECT_EQ(total.at("padding"), 22);
  EXPECT_EQ(total.at("live"), 20);
  EXPECT_EQ(total.at("equivalent"), 11);
  EXPECT_EQ(total.at("survived"), 2);
}

TEST(MutationReport, SaysWhichShareOfLiveMutantsARuleExcuses) {
  const auto rows = rows_of("noticed");
  EXPECT_FALSE(rows.contains("reserved bit")) << "reserved bits are not live";
  EXPECT_EQ(rows.at("nothing counts").at("excused"), 5);
  EXPECT_EQ(rows.at("nothing counts").at("share"), "25.0%");
  EXPECT_EQ(rows.at("reserved code").at("excused"), 6);
  EXPECT_EQ(rows.at("reserved code").at("share"), "30.0%");
}

// The share is of the mutants that differ: 7 of 9.
TEST(MutationReport, HasTheWordForAKillInEveryForm) {
  for (const std::string told : {"noticed", "distinguishable"}) {
    const Json total = rows_of(told).at("total");
    EXPECT_EQ(total.at(told), 7);
    EXPECT_EQ(total.at("score"), "77.8%");
    std::ostringstream text, csv, page;
    print_scores(text, {{"ppc750gx", made()}}, told, Format::text);
    EXPECT_THAT(text.str(), HasSubstr(told + " of the others"));
    EXPECT_EQ(times("not " + told, text.str()), 3u) << "by field, by kind, and in all\n" << text.str();
    print_scores(csv, {{"ppc750gx", made()}}, told, Format::csv);
    EXPECT_THAT(csv.str(), HasSubstr(",padding," + told + ",equivalent,"));
    print_markdown(page, {{"ppc750gx", made()}}, told);
    EXPECT_THAT(page.str(), HasSubstr("| ppc750gx | 5 | 42 | 22 | 20 | 7 | 11 | 2 |\n"));
    EXPECT_THAT(page.str(), HasSubstr("| ppc750gx | MMCR1 | reserved 10:31 | 22 | 22 | 0 |  | 0 | 22 of 22 |  |\n"));
    EXPECT_THAT(page.str(), HasSubstr("| padding | live | " + told + " | equal by a rule | not " + told + " |\n"));
    EXPECT_THAT(page.str(), HasSubstr("| reserved code | 6 | 30.0% |"));
  }
}

// Only what the questions of a user's run find is called noticed.
TEST(MutationCommand, CallsOnlyTheShippedRunsKillsNoticed) {
  const auto said = [](bool as_shipped) {
    testing::internal::CaptureStdout();
    run_mutations({"alpha-ev6"},
                  {.only = "PF6_MUX0_CYCLES", .sample = 5, .traces = 1, .as_shipped = as_shipped, .floor = 0},
                  Format::csv, false);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_THAT(said(true), HasSubstr(",noticed,"));
  const std::string own_stimuli = said(false);
  EXPECT_THAT(own_stimuli, HasSubstr(",distinguishable,"));
  EXPECT_THAT(own_stimuli, Not(HasSubstr("noticed")));
}

}  // namespace
}  // namespace pmusim::testbench::mutate
