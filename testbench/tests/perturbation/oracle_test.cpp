// Every rule of the oracle broken: a happening that never counts, counts always or forgets its filter, unit masks
// shifted, a level inverted.
#include <gtest/gtest.h>

#include "tally.h"

namespace pmusim::perturbation {
namespace {

class OracleRules : public testing::TestWithParam<const char*> {};

TEST_P(OracleRules, AreAllWatched) {
  const std::string target = GetParam();
  Tally tally(bench_of(target), "oracle " + target, {});
  for (const oracle::Breakage& breakage : oracle::breakages(target)) {
    if (!tally.next()) continue;
    Rows rows;
    for (const std::string& row : testbench::row_names(target)) {
      if (row == breakage.event || row.starts_with(breakage.event + ":")) rows.insert(row);
    }
    Exchange exchange;
    exchange.make_counter = [&](const std::vector<oracle::Request>& requests, const oracle::ParameterLookup& lookup) {
      return oracle::make_broken_counter(target, requests, lookup, breakage);
    };
    tally.expect_noticed(breakage.text(), rows, exchange);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, OracleRules, testing::Values("ppc750gx", "athlon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pmusim::perturbation
