// `pmusim validate --only`: attributes, wildcards, any case, and targets that have no such event. Patterns that select
// nothing are in errors_test.cpp.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pmusim::cli_test
