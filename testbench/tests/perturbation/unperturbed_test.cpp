// The bench itself: without a change every check must pass, and some trace must exercise every row of the target.
// Otherwise "noticed" would have no meaning.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "bench.h"

namespace pmusim::perturbation {
namespace {

class Unperturbed : public testing::TestWithParam<const char*> {
 protected:
  /// This target has by far the most checks: they are left to the validation itself, unless every change is to be tried
  /// (PMUSIM_PERTURB_EVERY=1).
  void SetUp() override {
    if (std::string(GetParam()) == "montecito" && sampling(2) != 1) GTEST_SKIP() << "test validate_montecito has them";
  }
};

TEST_P(Unperturbed, PassesAndExercisesEveryRow) {
  const std::string target = GetParam();
  const Findings findings = bench_of(target).judge_all(testbench::Depth::full);
  for (const std::string& mismatch : findings.mismatches) ADD_FAILURE() << mismatch;
  const auto holding = testbench::holding_rows(target);
  std::size_t exercised = 0;
  for (const std::string& row : testbench::row_names(target)) {
    if (std::find(holding.begin(), holding.end(), row) != holding.end()) continue;
    ++exercised;
    EXPECT_TRUE(findings.exercised.contains(row)) << row << " is exercised by no short trace";
  }
  std::cout << target << ": " << findings.checks << " checks pass, " << exercised << " rows exercised\n";
}

// No row is noticed without a change, so a change is the cause whenever a row is noticed.
TEST_P(Unperturbed, NoRowIsNoticed) {
  const std::string target = GetParam();
  Rows rows;
  std::size_t number = 0;
  for (const std::string& row : testbench::row_names(target)) {
    if (number++ % sampling_of_targets() == 0) rows.insert(row);
  }
  EXPECT_FALSE(bench_of(target).notices(rows, {}));
}

INSTANTIATE_TEST_SUITE_P(Targets, Unperturbed, testing::Values("ppc750gx", "athlon", "itanium2", "montecito"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pmusim::perturbation
