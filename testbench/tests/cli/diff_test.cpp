// `pmusim diff` of validations and of runs: it names the register, the field and the count that changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The differences between two files, as `CHANGE WHAT: BEFORE -> NOW`.
std::vector<std::string> differences(const std::string& before, const std::string& now) {
  const Outcome outcome = pmusim("diff --format json " + before + ' ' + now);
  EXPECT_EQ(outcome.err, "");
  std::vector<std::string> rows;
  for (const auto& row : rows_of(outcome)) {
    const auto text = [&](const char* key) {
      return row.at(key).is_string() ? row.at(key).get<std::string>() : row.at(key).dump();
    };
    rows.push_back(text("change") + ' ' + text("what") + ": " + text("before") + " -> " + text("now"));
  }
  EXPECT_EQ(outcome.code, rows.empty() ? 0 : 1);
  return rows;
}

/// A validation with one mismatch.
std::string validation(const std::string& registers) {
  return R"({"target":"athlon","mismatches":1,"details":[{"event":"DATA_CACHE_REFILLS:L2_OWNED","trace":"t.txt",)"
         R"("counter":"PerfCtr1","counted":0,"expected":1,"registers":")" +
         registers + "\"}]}\n";
}

// AMD's publication 22007, event 42h: unit mask 08h is the owned state, 10h the modified one.
TEST(DiffOfValidations, NamesTheFieldOfTheRegister) {
  write_file("before.json", validation("PerfEvtSel0=0x4300c0 PerfEvtSel1=0x430842"));
  write_file("now.json", validation("PerfEvtSel0=0x4300c0 PerfEvtSel1=0x431042"));
  const auto rows = differences("before.json", "now.json");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(
      rows[0],
      testing::StartsWith("field athlon: details: t.txt DATA_CACHE_REFILLS:L2_OWNED PerfCtr1: registers: PerfEvtSel1"));
  EXPECT_THAT(rows[0], HasSubstr("UNIT_MASK (15:8) is 0x10"));
  EXPECT_THAT(rows[0], HasSubstr("was 0x8"));
}

// A register of value 0 is not listed. A text that is no list of registers is compared, too.
TEST(DiffOfValidations, NamesRegistersThatOnlyOneHas) {
  const std::string place = " athlon: details: t.txt DATA_CACHE_REFILLS:L2_OWNED PerfCtr1: registers: ";
  write_file("before.json", validation("PerfEvtSel0=0x4300c0 PerfEvtSel1=0x430842"));
  write_file("now.json", validation("PerfEvtSel1=0x430842 none"));
  EXPECT_THAT(differences("before.json", "now.json"),
              ElementsAre("new" + place + "none:  -> ", "gone" + place + "PerfEvtSel0: 0x4300c0 -> "));
}

// Of two programs, or of one in two versions: one object in each file is compared value by value.
TEST(DiffOfRuns, ComparesTwoPrograms) {
  for (const unsigned count : {5u, 7u}) {
    const std::string name = std::to_string(count);
    write_file(name + ".txt", nops(count));
    ASSERT_EQ(
        pmusim("run -t athlon --trace " + name + ".txt -e RETIRED_INSTRUCTIONS --format json > " + name + ".json").code,
        0);
  }
  EXPECT_THAT(differences("5.json", "5.json"), ElementsAre());
  const auto rows = differences("5.json", "7.json");
  EXPECT_THAT(rows, testing::Contains("event instructions: 5 -> 7"));
  EXPECT_THAT(rows, testing::Contains("event RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0: 5 -> 7"));
  EXPECT_THAT(rows, testing::Contains("changed athlon: trace: 5.txt -> 7.txt"));
  EXPECT_THAT(rows, testing::Each(testing::AnyOf(testing::StartsWith("changed "), testing::StartsWith("event "))));
  const Outcome text = pmusim("diff 5.json 7.json");
  EXPECT_THAT(text.out, testing::ContainsRegex("RETIRED_INSTRUCTIONS:[^ ]+ +5 +7 +[+]2 +[+]40.0\n"));
}

// Events of two targets have the same names without the targets.
TEST(DiffOfRuns, ComparesTwoTargets) {
  write_file("six.txt", ppc_nops(6));
  for (const char* target : {"ppc750gx", "ppc750gl"})
    ASSERT_EQ(pmusim(std::string("run --trace six.txt -e INSTRUCTIONS_COMPLETED --format json -t ") + target + " > " +
                     target + ".json")
                  .code,
              0);
  EXPECT_THAT(differences("ppc750gx.json", "ppc750gl.json"),
              ElementsAre("changed ppc750gl: target: ppc750gx -> ppc750gl"));
}

/// A report by function: `first` no-operations in f, then `second` in g.
void report_of(unsigned first, unsigned second, const std::string& file) {
  write_file("fg.txt", nops(first + second));
  char symbols[80];
  std::snprintf(symbols, sizeof symbols, "%08x T f\n%08x T g\n", 0x10000, 0x10000 + first);
  write_file("fg.nm", symbols);
  ASSERT_EQ(
      pmusim("report -t athlon --trace fg.txt --symbols fg.nm -e RETIRED_INSTRUCTIONS:u --format json > " + file).code,
      0);
}

// The largest change comes first: g has 100 instructions more, f one. Of a function that is gone nothing is left.
TEST(DiffOfReports, ListsFunctionsByEffect) {
  report_of(3, 100, "a.json");
  report_of(4, 200, "b.json");
  std::vector<std::string> functions;
  for (const auto& row : rows_of(pmusim("diff a.json b.json --format json"))) {
    if (row.at("change") != "function" || row.at("amount") == "cycles") continue;
    EXPECT_EQ(row.at("amount"), "RETIRED_INSTRUCTIONS:k=0:u=1:e=0:i=0:c=0");
    functions.push_back(row.at("what").get<std::string>() + ' ' + row.at("delta").dump());
  }
  EXPECT_THAT(functions, ElementsAre("g 100", "f 1"));
  const Outcome text = pmusim("diff a.json b.json");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("functions by RETIRED_INSTRUCTIONS"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\ng +100 +200 +[+]100 +[+]100.0\nf +3 +4 +[+]1 +[+]33.3\n"));
  EXPECT_THAT(pmusim("diff a.json b.json --top 1").out, HasSubstr("... and 1 more; --top shows more rows"));
  EXPECT_EQ(pmusim("diff a.json a.json").code, 0);
  EXPECT_EQ(lines_of(pmusim("diff a.json b.json --format csv").out).at(0),
            "change,what,before,now,amount,delta,percent");
}

// Bit 16 of an event select register selects user mode, bit 17 the operating system (AMD's publication 22007).
TEST(DiffOfRuns, NamesTheFieldsOfTheRegisters) {
  write_file("t.txt", nops(5));
  for (const char* level : {"u", "k"})
    ASSERT_EQ(pmusim(std::string("run -t athlon --trace t.txt --registers --format json -e RETIRED_INSTRUCTIONS:") +
                     level + " > " + level + ".json")
                  .code,
              0);
  const auto rows = differences("u.json", "k.json");
  const std::string field = "field athlon t.txt: registers: PerfEvtSel0: value:  -> ";
  EXPECT_THAT(rows, testing::Contains(testing::StartsWith(field + "USR (16) is 0x0")));
  EXPECT_THAT(rows, testing::Contains(testing::StartsWith(field + "OS (17) is 0x1")));
}

// `pmusim diff` of two validations: events by the change of their mismatches, and one line for each mismatch.

using testing::ElementsAre;
using testing::HasSubstr;

std::string question(const std::string& text, const std::string& verdict, const std::string& detail = "") {
  return R"({"question":")" + text + R"(","verdict":")" + verdict + R"(","detail":")" + detail + R"(","traces":1})";
}

std::string validation(const std::string& target, const std::string& questions, const std::string& details = "") {
  return R"({"target":")" + target + R"(","questions":[)" + questions + R"(],"details":[)" + details + "]}\n";
}

// The encoder of `a` has E1 wrong, with and without E2, and does not know E3; that of `b` has E2 wrong alone, and E4 on
// a trace. E1 loses its two mismatches, E4 gains one; E2 has one before (with E1) and one now; of E3 only the verdict
// changes. Of the mismatches, new ones come first; what is right in one file has that file's verdict.
TEST(DiffOfVerdicts, SortsEventsByTheirChangeAndHasALineForEachMismatch) {
  write_file("a.json", validation("athlon", question("E1:u", "mismatch", "PerfCtr0 counts 0, expected 1") + ',' +
                                                question("E1 E2:c=2 -0", "mismatch", "no registers") + ',' +
                                                question("E2", "ok") + ',' + question("E3:u -1", "unsupported")));
  write_file("b.json", validation("athlon",
                                  question("E1:u", "ok") + ',' + question("E1 E2:c=2 -0", "ok") + ',' +
                                      question("E2", "mismatch", "PerfCtr1 counts 7, expected 8") + ',' +
                                      question("E3:u -1", "ok"),
                                  R"({"event":"E4:k -0","trace":"t.txt","counter":"PerfCtr1","counted":5,"expected":7,)"
                                  R"("problem":"","diagnosis":"too few","registers":"R=1"})"));
  std::vector<std::string> events, mismatches;
  for (const auto& row : rows_of(pmusim("diff a.json b.json --format json"))) {
    const bool verdict = row.at("change") == "verdict";
    EXPECT_EQ(row.at("target"), "athlon");
    std::string text = row.at("what");
    for (const char* key : {"before", "now", "mismatches_before", "mismatches_now", "delta", "questions"})
      if (row.contains(key) && (verdict || row.at(key).is_string()))
        text += '|' + (row.at(key).is_string() ? row.at(key).get<std::string>() : row.at(key).dump());
    (verdict ? events : mismatches).push_back(text);
  }
  EXPECT_THAT(events, ElementsAre("E1|mismatch|ok|2|0|-2|2", "E4||mismatch|0|1|1|0", "E2|mismatch|mismatch|1|1|0|2",
                                  "E3|unsupported|ok|0|0|0|1"));
  EXPECT_THAT(mismatches, ElementsAre("E2|ok|PerfCtr1 counts 7, expected 8",
                                      "E4:k -0 on t.txt||too few; counted 5, expected 7 (R=1)",
                                      "E1 E2:c=2 -0|no registers|ok", "E1:u|PerfCtr0 counts 0, expected 1|ok"));
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

TEST(Diff, WrongFormIsOneLine) {
  write_file("good.json", validation("athlon", question("E", "ok")));
  write_file("run.json", R"({"target":"athlon","cycles":1,"instructions":1,"counts":[]})");
  const std::pair<std::string, const char*> all[] = {{"good.json", "expected what validate --format json prints"},
                                                     {"run.json", "expected"}};
  for (const auto& [good, says] : all) {
    write_file("bad.json", good == "run.json"
                               ? R"({"target":"athlon","cycles":1,"instructions":1,"counts":[{"event":7}]})"
                               : validation("athlon", "7"));
    const Outcome outcome = pmusim("diff " + good + " bad.json");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(lines_of(outcome.err).size(), 1u);
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
}

}  // namespace

}  // namespace pmusim::cli_test
