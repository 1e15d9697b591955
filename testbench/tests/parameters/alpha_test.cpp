// Every value of every PMU parameter of the five Alphas: model and oracle must change together. If the value changes a
// count, an interrupt or a sample, a change of the model alone must be caught; otherwise nothing may change. Also tests
// another value of every core parameter.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>

#include "testbench/faults/bench.h"
#include "testbench/tests/faults/noticed.h"
#include "testbench/tests/target_name.h"
#include "values.h"

namespace pmusim::testbench::faults::alpha {
namespace {

/// A parameter without effect in the validation's programs, and the case that it decides.
struct Silent {
  std::string_view target, parameter, decides;
};
constexpr std::array silent{
    Silent{"alpha-ev4", "pmu.increment_limit", "more of an event in a cycle than the core makes"},
    Silent{"alpha-ev4", "pmu.no_log_option", "a call of PALcode with argument 0, which no encoder makes"},
    Silent{"alpha-ev4", "pmu.mux0_low_bit", "selects that no encoder makes"},
    Silent{"alpha-pca56", "pmu.increment_limit", "more of an event in a cycle than the core makes"},
    Silent{"alpha-ev6", "pmu.increment_limit", "more of an event in a cycle than the core makes; branches are carried"},
    Silent{"alpha-ev6", "pmu.counter_read", "a counter that is read while it is off"},
    Silent{"alpha-ev67", "pmu.counter_read", "a counter that is read while it is off"},
    Silent{"alpha-ev6", "pmu.ier_cm_pc", "a counter that counts and whose interrupt is off, which PALcode never makes"},
    Silent{"alpha-ev67", "pmu.ier_cm_pc",
           "a counter that counts and whose interrupt is off, which PALcode never makes"},
    Silent{"alpha-ev67", "pmu.squashed_aborts", "what the driver makes of a sample"},
    Silent{"alpha-ev6", "pmu.threshold_write", "a write of a counter that is about to overflow"},
    Silent{"alpha-ev67", "pmu.threshold_write", "a write of a counter that is about to overflow"},
};

/// With this parameter the encoders' programming does not count the requested event: a counter without interrupts is
/// off. The oracle keeps to the request, and the validation must report the difference.
bool breaks_promise(std::string_view parameter) { return parameter == "pmu.ctl_1"; }

bool is_silent(const std::string& target, std::string_view parameter) {
  return std::any_of(silent.begin(), silent.end(),
                     [&](const Silent& s) { return s.target == target && s.parameter == parameter; });
}

/// Only one in sampling() values is tried in the model alone.
bool sampled_out(std::size_t number) { return number % sampling() != 0; }

class AlphaParameters : public testing::TestWithParam<const char*> {};

/// Agreement is tested on one in `stride` traces; a change of the model alone on all traces, up to the first that
/// detects it.
constexpr std::size_t stride = 4;

TEST_P(AlphaParameters, ModelAndOracleReadThemAlike) {
  const std::string target = GetParam();
  const auto names = testbench::row_names(target);
  const Rows all(names.begin(), names.end());
  Bench few(target, {}, stride * sampling());
  const models::Parameters defaults = models::find_target(target)->parameters();
  std::size_t values = 0, caught = 0, number = 0;
  for (const models::ParameterInfo& info : defaults.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    for (const std::int64_t value : other_values(info)) {
      if (number++ % pmusim::sampling != 0) continue;
      few.parameters().set(info.name, value);
      if (breaks_promise(info.name)) {
        EXPECT_FALSE(few.judge_all(testbench::Depth::full).mismatches.empty()) << info.name << " keeps the promise";
        few.parameters().set(info.name, info.default_value);
        continue;
      }
      for (const std::string& mismatch : few.judge_all(testbench::Depth::full).mismatches) {
        ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
      }
      few.parameters().set(info.name, info.default_value);
      ++values;
      if (sanitized || sampled_out(values)) continue;  // this runs all short traces
      const bool silent_here = is_silent(target, info.name);
      const bool noticed =
          (silent_here ? few : bench_of(target)).notices(all, OtherMonitor::with(target, info.name, value));
      caught += noticed ? 1 : 0;
      EXPECT_EQ(noticed, !silent_here) << info.name << '=' << value << " in the model alone";
    }
  }
  for (const Silent& row : silent) EXPECT_TRUE(row.target != target || defaults.has(row.parameter)) << row.parameter;
  std::cout << target << ": " << values << " other values of PMU parameters pass, " << caught
            << " of them caught in the model alone\n";
}

/// A bench with the first other value that the core accepts: twice, half, one more, one less.
std::optional<Bench> bench_with_another(const std::string& target, const models::ParameterInfo& info) {
  constexpr std::size_t few_traces = 8;  // every value needs separate core runs
  for (const std::int64_t value :
       {info.default_value * 2, info.default_value / 2, info.default_value + 1, info.default_value - 1}) {
    if (value == info.default_value || value < info.minimum || value > info.maximum) continue;
    try {
      return Bench(target, {{std::string(info.name), value}}, few_traces * sampling());
    } catch (const models::ParameterError&) {
      continue;  // it is inconsistent with the other parameters
    }
  }
  return std::nullopt;
}

TEST_P(AlphaParameters, OfTheCorePassUnderAnotherValue) {
  const std::string target = GetParam();
  const models::Parameters defaults = models::find_target(target)->parameters();
  std::size_t covered = 0, number = 0;
  for (const models::ParameterInfo& info : defaults.infos()) {
    if (info.name.starts_with("pmu.") || number++ % sampling_of_targets() != 0) continue;
    // A block of 32 bytes would be smaller than the Scache's, and 64 is the maximum.
    if (target == "alpha-ev5" && info.name == "core.bcache_line") continue;
    auto bench = bench_with_another(target, info);
    ASSERT_TRUE(bench) << info.name << " has no other legal value";
    const Findings findings = bench->judge_all(testbench::Depth::basic);
    for (const std::string& mismatch : findings.mismatches) ADD_FAILURE() << info.name << ' ' << mismatch;
    EXPECT_FALSE(findings.exercised.empty()) << info.name;
    ++covered;
  }
  std::cout << target << ": " << covered << " core parameters, each with another value\n";
}

INSTANTIATE_TEST_SUITE_P(Targets, AlphaParameters,
                         testing::Values("alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         target_name);

}  // namespace
}  // namespace pmusim::testbench::faults::alpha
