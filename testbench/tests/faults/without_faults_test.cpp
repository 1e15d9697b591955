// The bench itself: without a fault every check must pass, and some trace must exercise every row of the target.
// Otherwise "noticed" would have no meaning.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/bench.h"
#include "testbench/tests/faults/sampled.h"

namespace pmusim::testbench::faults {
namespace {

class WithoutFaults : public testing::TestWithParam<const char*> {
 protected:
  /// This target has by far the most checks: they are left to the validation itself, unless every fault is to be tried
  /// (PMUSIM_PERTURB_EVERY=1).
  void SetUp() override {
    if (target == "montecito" && sampling(2) != 1) GTEST_SKIP() << "test validate_montecito has them";
  }
  const std::string target = GetParam();
};

TEST_P(WithoutFaults, EveryRowPassesAndIsExercised) {
  // Under a sanitizer an Alpha's rows once: only the full plan contains the statistics of profiled instructions.
  const bool basic = sanitized && target.starts_with("alpha");
  const Findings findings = bench_of(target).judge_all(basic ? Depth::basic : Depth::full);
  for (const std::string& mismatch : findings.mismatches) ADD_FAILURE() << mismatch;
  if (basic) return;
  const auto holding = holding_rows(target);
  std::size_t exercised = 0;
  for (const std::string& row : row_names(target)) {
    if (std::find(holding.begin(), holding.end(), row) != holding.end()) continue;
    ++exercised;
    EXPECT_TRUE(findings.exercised.contains(row)) << row << " is exercised by no short trace";
  }
  std::cout << target << ": " << findings.checks << " checks pass, " << exercised << " rows exercised\n";
}

// No row is noticed without a fault, so a fault is the cause whenever a row is noticed.
TEST_P(WithoutFaults, NoRowIsNoticed) {
  Rows rows;
  std::size_t number = 0;
  for (const std::string& row : row_names(target)) {
    if (target.starts_with("alpha") || number++ % sampling_of_targets() == 0) rows.insert(row);
  }
  EXPECT_FALSE(bench_of(target).notices(rows, {}));
}

/// Rows of each target: the statistics of pfm(7), numbered S1 to S132, and rows of sys/pfcntr.h that are not among
/// them: on the 21264 the retired mispredictions, on the 21264A three kinds of traps.
constexpr std::pair<std::string_view, std::size_t> rows_of[] = {{"alpha-ev4", 9 + 8},
                                                                {"alpha-ev5", 2 + 15 + 14 + 7 + 8},
                                                                {"alpha-pca56", 2 + 15 + 14 + 7 + 8},
                                                                {"alpha-ev6", 2 + 7 + 1},
                                                                {"alpha-ev67", 2 + 3 + 40 + 3}};

TEST(RowsOfTheAlphas, AreThoseOfTheirDocuments) {
  for (const auto& [name, number] : rows_of) {
    const std::string target(name);
    const auto names = row_names(target);
    EXPECT_EQ(names.size(), number);
    Rows encoded;
    const auto events = encoder::events(target);
    for (const encoder::EventInfo& event : *events) encoded.insert(event.name);
    EXPECT_EQ(encoded, Rows(names.begin(), names.end())) << "the encoder names the same";
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, WithoutFaults,
                         testing::Values("ppc750gx", "athlon", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                         "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pmusim::testbench::faults
