// Another legal value of every core parameter: the activity differs, and model and oracle must agree on it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <optional>
#include <ostream>
#include <vector>

#include "models/activity/ia64.h"
#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/session.h"
#include "testbench/faults/bench.h"
#include "testbench/oracle/oracle.h"
#include "testbench/store/data_folder.h"
#include "testbench/tests/faults/noticed.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench::faults {

namespace {

/// Every value needs a separate core run, so only one in this many traces is run: the IA-64 processors have the most
/// parameters and traces.
std::size_t stride_of(std::string_view target) {
  if (target.starts_with("alpha")) return 8;
  return target == "itanium2" || target == "montecito" ? 24 : 3;
}

/// Values to try, in order of preference.
std::vector<std::int64_t> candidates_for(const models::ParameterInfo& info) {
  // Doubling an address or a status register would name another location or turn a monitor off: one bit is changed.
  if (info.name == "core.psr") return {info.default_value & ~static_cast<std::int64_t>(activity::ia64::psr::pp)};
  if (info.name == "core.cpl") return {0};  // at levels 1 and 2 hardly any request counts
  const std::int64_t twice = info.default_value <= info.maximum / 2 ? info.default_value * 2 : info.default_value;
  return {twice,
          info.default_value / 2,
          info.default_value < info.maximum ? info.default_value + 1 : info.maximum,
          info.default_value > info.minimum ? info.default_value - 1 : info.minimum,
          info.maximum,
          info.minimum};
}

/// A bench with a non-default value of the parameter that the core accepts.
std::optional<Bench> bench_with_another(const std::string& target, const models::ParameterInfo& info,
                                        std::int64_t& value) {
  for (const std::int64_t candidate : candidates_for(info)) {
    if (candidate == info.default_value || candidate < info.minimum || candidate > info.maximum) continue;
    try {
      value = candidate;
      return Bench(target, {{std::string(info.name), candidate}}, stride_of(target) * sampling());
    } catch (const models::ParameterError&) {
      continue;  // it is inconsistent with the other parameters
    }
  }
  return std::nullopt;
}

class CoreParameters : public testing::TestWithParam<const char*> {};

TEST_P(CoreParameters, PassUnderAnotherValue) {
  const std::string target = GetParam();
  std::size_t covered = 0, number = 0;
  const models::Parameters parameters = models::find_target(target)->parameters();
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (info.name.starts_with("pmu.") || number++ % sampling_of_targets() != 0) continue;
    // A block of 32 bytes would be smaller than the Scache's, and 64 is the maximum.
    if (target == "alpha-ev5" && info.name == "core.bcache_line") continue;
    std::int64_t value = 0;
    auto bench = bench_with_another(target, info, value);
    ASSERT_TRUE(bench) << info.name << " has no other legal value";
    const Findings findings = bench->judge_all(testbench::Depth::basic);
    for (const std::string& mismatch : findings.mismatches)
      ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
    EXPECT_FALSE(findings.exercised.empty()) << info.name;
    ++covered;
  }
  std::cout << target << ": " << covered << " core parameters, each with another value\n";
}

INSTANTIATE_TEST_SUITE_P(Targets, CoreParameters,
                         testing::Values("ppc750gx", "athlon", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                         "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         target_name);

}  // namespace

}  // namespace pmusim::testbench::faults
