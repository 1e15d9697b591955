// `pmusim diff` of two validations: events by the change of their mismatches, and one line for each mismatch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string question(const std::string& text, const std::string& verdict, const std::string& detail = "") {
  return R"({"question":")" + text + R"(","verdict":")" + verdict + R"(","detail":")" + detail + R"(","traces":1})";
}

std::string validation(const std::string& target, const std::string& questions, const std::string& details = "") {
  return R"({"target":")" + target + R"(","questions":[)" + questions + R"(],"details":[)" + details + "]}\n";
}

/// The encoder of `a` has E1 wrong, with and without E2, and does not know E3.
void write_a() {
  write_file("a.json", validation("athlon", question("E1:u", "mismatch", "PerfCtr0 counts 0, expected 1") + ',' +
                                                question("E1 E2:c=2 -0", "mismatch", "no registers") + ',' +
                                                question("E2", "ok") + ',' + question("E3:u -1", "unsupported")));
}

/// That of `b` has E2 wrong alone, and E4 on a trace.
void write_b() {
  write_file("b.json", validation("athlon",
                                  question("E1:u", "ok") + ',' + question("E1 E2:c=2 -0", "ok") + ',' +
                                      question("E2", "mismatch", "PerfCtr1 counts 7, expected 8") + ',' +
                                      question("E3:u -1", "ok"),
                                  R"({"event":"E4:k -0","trace":"t.txt","counter":"PerfCtr1","counted":5,"expected":7,)"
                                  R"("problem":"","diagnosis":"too few","registers":"R=1"})"));
}

// E1 loses its two mismatches, E4 gains one; E2 has one before (with E1) and one now; of E3 only the verdict changes.
TEST(DiffOfVerdicts, SortsEventsByTheChangeOfTheirMismatches) {
  write_a();
  write_b();
  std::vector<std::string> events;
  for (const std::string& line : lines_of(pmusim("diff a.json b.json --format json").out)) {
    const auto row = nlohmann::json::parse(line);
    if (row.at("change") != "verdict") continue;
    EXPECT_EQ(row.at("target"), "athlon");
    std::string text = row.at("what");
    for (const char* key : {"before", "now", "mismatches_before", "mismatches_now", "delta", "questions"})
      text += '|' + (row.at(key).is_string() ? row.at(key).get<std::string>() : row.at(key).dump());
    events.push_back(text);
  }
  EXPECT_THAT(events, ElementsAre("E1|mismatch|ok|2|0|-2|2", "E4||mismatch|0|1|1|0", "E2|mismatch|mismatch|1|1|0|2",
                                  "E3|unsupported|ok|0|0|0|1"));
}

// New ones come first. What is right in one file has that file's verdict.
TEST(DiffOfVerdicts, HasALineForEachMismatch) {
  write_a();
  write_b();
  std::vector<std::string> mismatches;
  for (const std::string& line : lines_of(pmusim("diff a.json b.json --format json").out)) {
    const auto row = nlohmann::json::parse(line);
    if (row.at("change") != "mismatch") continue;
    mismatches.push_back(row.at("what").get<std::string>() + '|' + row.at("before").get<std::string>() + '|' +
                         row.at("now").get<std::string>());
  }
  EXPECT_THAT(mismatches, ElementsAre("E2|ok|PerfCtr1 counts 7, expected 8",
                                      "E4:k -0 on t.txt||too few; counted 5, expected 7 (R=1)",
                                      "E1 E2:c=2 -0|no registers|ok", "E1:u|PerfCtr0 counts 0, expected 1|ok"));
}

TEST(DiffOfVerdicts, TextHasTheSameValues) {
  write_a();
  write_b();
  const Outcome text = pmusim("diff a.json b.json");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out,
              testing::ContainsRegex("athlon: events:\nevent +verdict +now +mismatches +now +change +questions"
                                     "\nE1 +mismatch +ok +2 +0 +-2 +2\nE4 +mismatch +0 +1 +[+]1 +0\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\nE2 +ok +PerfCtr1 counts 7, expected 8\n"));
  EXPECT_THAT(pmusim("diff a.json b.json --top 3").out, HasSubstr("... and 1 more; --top shows more rows"));
  const auto csv = lines_of(pmusim("diff a.json b.json --format csv").out);
  EXPECT_THAT(csv, testing::Contains("verdict,E1,mismatch,ok,,-2,"));
  EXPECT_EQ(pmusim("diff a.json a.json").code, 0);
}

// The lines of a file are compared by target, whatever their order.
TEST(DiffOfVerdicts, ComparesEachTarget) {
  const std::string good = question("E", "ok"), bad = question("E", "mismatch", "wrong");
  write_file("two.json", validation("athlon", good) + validation("ppc750gx", good));
  write_file("other.json", validation("ppc750gx", bad) + validation("athlon", good));
  const auto lines = lines_of(pmusim("diff two.json other.json --format json").out);
  ASSERT_EQ(lines.size(), 2u);
  for (const std::string& line : lines) EXPECT_EQ(nlohmann::json::parse(line).at("target"), "ppc750gx");
}

TEST(DiffOfVerdicts, WrongFormIsOneLine) {
  write_file("good.json", validation("athlon", question("E", "ok")));
  write_file("bad.json", validation("athlon", "7"));
  const Outcome outcome = pmusim("diff good.json bad.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  EXPECT_THAT(outcome.err, HasSubstr("expected what validate --format json prints"));
}

}  // namespace
}  // namespace pmusim::cli_test
