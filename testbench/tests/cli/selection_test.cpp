// `pmusim validate --only`: attributes, wildcards, any case, and targets that have no such event. Patterns that select
// nothing are in errors_test.cpp.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "command.h"

namespace pmusim::cli_test {
namespace {

/// The targets that a validation reports.
std::vector<nlohmann::json> validated(const std::string& options) {
  const Outcome outcome = pmusim("validate --format json " + options);
  EXPECT_EQ(outcome.code, 0) << options << '\n' << outcome.out << outcome.err;
  std::vector<nlohmann::json> targets;
  for (const std::string& line : lines_of(outcome.out)) targets.push_back(nlohmann::json::parse(line));
  return targets;
}

/// The number of comparisons of RETIRED_INSTRUCTIONS that a pattern selects.
int checks_of(const std::string& pattern) {
  write_file("nops.txt", nops(5));
  const auto targets = validated("-t athlon --quick --trace nops.txt --only '" + pattern + "'");
  EXPECT_EQ(targets.size(), 1u) << pattern;
  EXPECT_EQ(targets.at(0).at("events"), 1) << pattern;
  return targets.at(0).at("checks");
}

TEST(Selection, TakesAttributesInAnyForm) {
  const int all = checks_of("RETIRED_INSTRUCTIONS"), user = checks_of("RETIRED_INSTRUCTIONS:u");
  EXPECT_GT(user, 0);
  EXPECT_LT(user, all);
  for (const char* pattern : {"retired_instructions:U", "Retired_Inst*:u*", "RETIRED_INSTRUCTION?:u*",
                              "NONE,RETIRED_INSTRUCTIONS:u", "RETIRED_INSTRUCTIONS:u,!RETIRED_UOPS"})
    EXPECT_EQ(checks_of(pattern), user) << pattern;
}

/// The names of the targets that are reported for a pattern.
std::set<std::string> targets_with(const std::string& pattern) {
  std::set<std::string> names;
  for (const auto& target : validated("-t all --quick --only '" + pattern + "'")) {
    EXPECT_GT(target.at("events"), 0);
    names.insert(target.at("target").get<std::string>());
  }
  return names;
}

TEST(Selection, LeavesOutTargetsWithoutTheEvent) {
  using Names = std::set<std::string>;
  EXPECT_EQ(targets_with("RETIRED_UOPS"), Names{"athlon"});
  EXPECT_EQ(targets_with("RETIRED_UOPS,PROCESSOR_CYCLES"), (Names{"athlon", "ppc750gx", "ppc750gl"}));
  // The event exists, the attribute does not.
  EXPECT_EQ(targets_with("RETIRED_UOPS,PROCESSOR_CYCLES:none"), Names{"athlon"});
}

// With these values no encoder can count what the questions ask. What is left passes; where nothing is left, the run
// ends with one line.
TEST(Selection, LeavesOutQuestionsWithoutARightAnswer) {
  struct Row {
    const char *target, *trace, *value;
    std::string some, nothing;  ///< options that select some questions with a right answer, and none
  };
  const Row rows[] = {{"alpha-ev5", "alpha/misses", "pmu.ctl_1=off", "", " --question PF5_MUX1_C_LOAD_INSTRUCTIONS"},
                      {"alpha-pca56", "alpha/misses", "pmu.ctl_1=off", "", " --question PF5_MUX1_C_LOAD_INSTRUCTIONS"},
                      {"itanium2", "itanium2/accesses", "pmu.memory_tag=pmc13", " --only LOADS_RETIRED", ""},
                      {"itanium2", "itanium2/accesses", "pmu.data_channels=all", " --only LOADS_RETIRED", ""},
                      {"montecito", "montecito/queues", "pmu.code_bc=reject",
                       " --only L2D_OZQ_FULL_THIS,ER_REJECT_ALL_L1_REQ", " --only L2D_OZQ_FULL_THIS"}};
  for (const Row& row : rows) {
    const std::string command = std::string("validate --format json --no-cache -t ") + row.target + " --set " +
                                row.value + " --trace " + as_word(micro_trace(row.trace));
    const Outcome some = pmusim(command + row.some);
    // One trace does not exercise every event, so that the exit code may be 1.
    const auto report = nlohmann::json::parse(some.out);
    EXPECT_EQ(report.at("mismatches"), 0) << row.value;
    EXPECT_GT(report.at("checks"), 0) << row.value;
    EXPECT_NE(some.err.find(std::string(row.target) + ": questions without a right answer are left out; " + row.value),
              std::string::npos)
        << some.err;
    if (row.nothing.empty()) continue;
    const Outcome nothing = pmusim(command + row.nothing);
    EXPECT_EQ(nothing.code, 2) << row.value << nothing.out << nothing.err;
    EXPECT_NE(nothing.err.find("every question is left out; " + std::string(row.value)), std::string::npos)
        << nothing.err;
  }
}

}  // namespace
}  // namespace pmusim::cli_test
