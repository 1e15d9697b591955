// The benches of the Alphas without a change, and every rule of their oracle broken.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "pmusim/encoder/encoder.h"
#include "tally.h"
#include "testbench/tests/sampling.h"

namespace pmusim::perturbation {
namespace {

/// Rows of each target: the statistics of pfm(7), numbered S1 to S132, and rows of sys/pfcntr.h that are not among
/// them: on the 21264 the retired mispredictions, on the 21264A three kinds of traps.
constexpr std::pair<std::string_view, std::size_t> rows_of[] = {{"alpha-ev4", 9 + 8},
                                                                {"alpha-ev5", 2 + 15 + 14 + 7 + 8},
                                                                {"alpha-pca56", 2 + 15 + 14 + 7 + 8},
                                                                {"alpha-ev6", 2 + 7 + 1},
                                                                {"alpha-ev67", 2 + 3 + 40 + 3}};

class Alphas : public testing::TestWithParam<const char*> {};

TEST_P(Alphas, PassAndExerciseEveryRow) {
  const std::string target = GetParam();
  // Under a sanitizer every row once: only the full plan contains the statistics of profiled instructions.
  const auto depth = sanitized ? testbench::Depth::basic : testbench::Depth::full;
  const Findings findings = bench_of(target).judge_all(depth);
  for (const std::string& mismatch : findings.mismatches) ADD_FAILURE() << mismatch;
  if (sanitized) return;
  const auto holding = testbench::holding_rows(target);
  std::size_t exercised = 0;
  for (const std::string& row : testbench::row_names(target)) {
    if (std::find(holding.begin(), holding.end(), row) != holding.end()) continue;
    ++exercised;
    EXPECT_TRUE(findings.exercised.contains(row)) << row << " is exercised by no short trace";
  }
  const auto names = testbench::row_names(target);
  const auto* const known =
      std::find_if(std::begin(rows_of), std::end(rows_of), [&](const auto& row) { return row.first == target; });
  EXPECT_EQ(names.size(), known->second);
  Rows encoded;
  const auto events = encoder::events(target);
  for (const encoder::EventInfo& event : *events) encoded.insert(event.name);
  EXPECT_EQ(encoded, Rows(names.begin(), names.end())) << "the encoder names the same";
  EXPECT_FALSE(bench_of(target).notices(Rows(names.begin(), names.end()), {})) << "nothing is changed";
  std::cout << target << ": " << findings.checks << " checks pass, " << exercised << " rows exercised\n";
}

std::vector<Equivalent> equivalents_of(const std::string& target) {
  constexpr std::string_view never_more = "the core never makes more of it in a cycle";
  constexpr std::string_view squashed = "what is squashed leaves without retiring";
  constexpr std::string_view same_cycle = "another replay is in the cycle of the load's issue, and a cycle counts one";
  if (target == "alpha-ev4") {
    return {{"PF_*: a cycle counts without bound", never_more},
            {"PF_LOADI: rule 2 holds for every occurrence", same_cycle}};
  }
  if (target == "alpha-ev6")
    return {{"PF6_MUX1_RET_BRANCH*: a cycle counts without bound", never_more},
            {"PF6_MUX1_RET_[DIU]*: a cycle counts without bound", never_more},
            {"PF6_MUX1_REPLAY_TRAP: a cycle counts without bound", never_more},
            {"PF6_MUX0_RET_INSTRUCTIONS: rule 1 holds for every occurrence", squashed}};
  if (target == "alpha-ev67")
    return {{"[BR]*: a cycle counts without bound", never_more},
            {"RETINST: rule 1 holds for every occurrence", squashed}};
  // Except the references of the 21164's board cache, C_BCACHE_REF.
  return {{"PF5_MUX[02]_*: a cycle counts without bound", never_more},
          {"PF5_MUX1_[RFI]*: a cycle counts without bound", never_more},
          {"PF5_MUX1_C_*[!F]: a cycle counts without bound", never_more}};
}

TEST_P(Alphas, RulesOfTheOracleAreAllWatched) {
  const std::string target = GetParam();
  Tally tally(bench_of(target), "oracle " + target, equivalents_of(target));
  for (const oracle::Breakage& breakage : oracle::breakages(target)) {
    if (!tally.next()) continue;
    Rows rows;
    for (const std::string& row : testbench::row_names(target)) {
      if (row.substr(0, row.find(':')) == breakage.event) rows.insert(row);
    }
    Exchange exchange;
    exchange.make_counter = [&](const std::vector<oracle::Request>& requests, const oracle::ParameterLookup& lookup) {
      return oracle::make_broken_counter(target, requests, lookup, breakage);
    };
    tally.expect_noticed(breakage.text(), rows, exchange);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Alphas,
                         testing::Values("alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pmusim::perturbation
