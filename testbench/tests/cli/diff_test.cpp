// `pmusim diff` of validations and of runs: it names the register, the field and the count that changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  for (const std::string& line : lines_of(outcome.out)) {
    const auto row = nlohmann::json::parse(line);
    rows.push_back(row.at("change").get<std::string>() + ' ' + row.at("what").get<std::string>() + ": " +
                   row.at("before").get<std::string>() + " -> " + row.at("now").get<std::string>());
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

TEST(DiffOfRuns, NamesTheCountsThatChanged) {
  const std::string run = "run -t athlon --trace t.txt -e RETIRED_INSTRUCTIONS --format json > ";
  write_file("t.txt", nops(5));
  ASSERT_EQ(pmusim(run + "five.json").code, 0);
  write_file("t.txt", nops(7));
  ASSERT_EQ(pmusim(run + "seven.json").code, 0);
  EXPECT_THAT(differences("five.json", "five.json"), ElementsAre());
  const auto rows = differences("five.json", "seven.json");
  EXPECT_THAT(rows, testing::Contains("changed athlon t.txt: instructions: 5 -> 7"));
  EXPECT_THAT(rows, testing::Contains(testing::AllOf(testing::StartsWith("changed athlon t.txt: counts: "),
                                                     HasSubstr("RETIRED_INSTRUCTIONS"),
                                                     testing::EndsWith(" PerfCtr0: value: 5 -> 7"))));
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
  const auto rows = differences("5.json", "7.json");
  EXPECT_THAT(rows, testing::Contains("changed athlon: instructions: 5 -> 7"));
  EXPECT_THAT(rows, testing::Contains("changed athlon: trace: 5.txt -> 7.txt"));
  EXPECT_THAT(rows, testing::Each(testing::StartsWith("changed ")));
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

}  // namespace
}  // namespace pmusim::cli_test
