// Every value of every PMU parameter. Where it changes a count, model and oracle must change together, and a change of
// the model alone must be caught; otherwise no count may change. Under a sanitizer one in ten values is tested, with
// fewer traces and checks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/faults/bench.h"
#include "testbench/tests/faults/noticed.h"
#include "testbench/tests/target_name.h"
#include "values.h"

namespace pmusim::testbench::faults {
namespace {

/// A parameter of a target that changes no count of a legal encoding on the short traces, and the case that it decides.
struct SilentOn {
  std::string_view target, parameter, decides;
};
constexpr std::array silent{
    SilentOn{"ppc750gx", "pmu.supervisor_fault", "which fault an access takes"},
    SilentOn{"ppc750gx", "pmu.missing_spr_fault", "which fault an access takes"},
    SilentOn{"ppc750gx", "pmu.mmcr1_reserved", "what reserved bits read as"},
    SilentOn{"ppc750gx", "pmu.hreset", "what a reset clears"},
    SilentOn{"ppc750gx", "pmu.enint_clear", "interrupts"},
    SilentOn{"ppc750gx", "pmu.discount_scope", "counting after an interrupt condition"},
    SilentOn{"ppc750gx", "pmu.discount_override", "counting after an interrupt condition"},
    SilentOn{"ppc750gx", "pmu.trigger_release", "counting with PMCTRIGGER"},
    SilentOn{"ppc750gx", "pmu.trigger_self_clear", "counting with PMCTRIGGER"},
    SilentOn{"ppc750gx", "pmu.trigger_source", "counting with PMCTRIGGER"},
    SilentOn{"ppc750gx", "pmu.sia_cycle", "SIA"},
    SilentOn{"ppc750gx", "pmu.sia_pair", "SIA"},
    SilentOn{"ppc750gx", "pmu.read_order", "what a program reads"},
    SilentOn{"ppc750gx", "pmu.discount_effect", "counting after an interrupt condition"},
    SilentOn{"athlon", "pmu.read_order", "what a program reads"},
    SilentOn{"athlon", "pmu.select_write", "the clock of a program's own write"},
    SilentOn{"athlon", "pmu.rdpmc_index", "which fault an access takes"},
    SilentOn{"athlon", "pmu.lvt_low_vector", "interrupts"},
    SilentOn{"athlon", "pmu.reserved_bits", "what reserved bits read as"},
    SilentOn{"athlon", "pmu.unknown_msr", "which fault an access takes"},
    SilentOn{"athlon", "pmu.counter_write", "which fault an access takes"},
    SilentOn{"athlon", "pmu.counter_read", "what a read gives for the bits above 47"},
    SilentOn{"athlon", "pmu.reset", "what a reset clears"},
    SilentOn{"athlon", "pmu.has_apic", "interrupts"},
    SilentOn{"athlon", "pmu.lvt_mask_after", "interrupts"},
    SilentOn{"athlon", "pmu.skid", "interrupts"},
    SilentOn{"athlon", "pmu.request_delay", "interrupts"},
    SilentOn{"athlon", "pmu.undefined_event", "codes that no event has"},
    SilentOn{"athlon", "pmu.increment_limit", "more of an event in a clock than the core makes"},
    SilentOn{"athlon", "pmu.pin_polarity", "pins"},
    SilentOn{"athlon", "pmu.pin_merge", "pins"},
    SilentOn{"athlon", "pmu.tsc_in_halt", "the time stamp counter"},
    SilentOn{"alpha-ev4", "pmu.increment_limit", "more of an event in a cycle than the core makes"},
    SilentOn{"alpha-ev4", "pmu.no_log_option", "a call of PALcode with argument 0, which no encoder makes"},
    SilentOn{"alpha-ev4", "pmu.mux0_low_bit", "selects that no encoder makes"},
    SilentOn{"alpha-pca56", "pmu.increment_limit", "more of an event in a cycle than the core makes"},
    SilentOn{"alpha-ev6", "pmu.increment_limit",
             "more of an event in a cycle than the core makes; branches are carried"},
    SilentOn{"alpha-ev6", "pmu.counter_read", "a counter that is read while it is off"},
    SilentOn{"alpha-ev67", "pmu.counter_read", "a counter that is read while it is off"},
    SilentOn{"alpha-ev6", "pmu.ier_cm_pc",
             "a counter that counts and whose interrupt is off, which PALcode never makes"},
    SilentOn{"alpha-ev67", "pmu.ier_cm_pc",
             "a counter that counts and whose interrupt is off, which PALcode never makes"},
    SilentOn{"alpha-ev67", "pmu.squashed_aborts", "what the driver makes of a sample"},
    SilentOn{"alpha-ev6", "pmu.threshold_write", "a write of a counter that is about to overflow"},
    SilentOn{"alpha-ev67", "pmu.threshold_write", "a write of a counter that is about to overflow"},
};

bool changes_counts(std::string_view target, std::string_view parameter) {
  return std::none_of(silent.begin(), silent.end(),
                      [&](const SilentOn& s) { return s.target == target && s.parameter == parameter; });
}

/// With this parameter the programming of the Alphas' encoders does not count the requested event: a counter without
/// interrupts is off. The oracle keeps to the request, and the validation must report the difference.
bool breaks_promise(std::string_view parameter) { return parameter == "pmu.ctl_1"; }

/// Unit mask 0, which no event string can express: the raw selector of each event that has unit masks.
std::vector<Group> empty_masks(const std::string& target) {
  std::vector<Group> groups;
  const auto events = encoder::events(target);
  for (const encoder::EventInfo& event : *events) {
    if (event.unit_masks.empty()) continue;
    testbench::Check check;
    check.request.event = event.name;
    check.raw = fmt::format("r00{:02x}", event.code);
    groups.emplace_back().checks.push_back(check);
  }
  return groups;
}

Rows all_rows(const std::string& target) {
  const auto names = testbench::row_names(target);
  return {names.begin(), names.end()};
}

class PmuParameters : public testing::TestWithParam<const char*> {
 protected:
  template <class Body>
  void for_each_value(Body body) {
    const models::Parameters parameters = models::find_target(GetParam())->parameters();
    for (const models::ParameterInfo& info : parameters.infos()) {
      if (!info.name.starts_with("pmu.")) continue;
      for (const std::int64_t value : other_values(info)) body(info, value);
    }
  }
};

TEST_P(PmuParameters, PassTogether) {
  const std::string target = GetParam();
  const bool alpha = target.starts_with("alpha");
  Bench few(target, {}, (alpha ? 4 : 5) * sampling());
  // Every modifier on some traces, and plain rows on all; PMUSIM_PERTURB_EVERY=1 runs every modifier on all traces,
  // which takes minutes.
  const bool whole = std::getenv("PMUSIM_PERTURB_EVERY") != nullptr;
  const auto judge = [&](Bench& bench, testbench::Depth depth, const models::ParameterInfo& info, std::int64_t value) {
    bench.parameters().set(info.name, value);
    for (const std::string& mismatch : bench.judge_all(depth).mismatches) {
      ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
    }
    if (target == "athlon") {
      EXPECT_FALSE(bench.notices(empty_masks(target), {})) << info.name << '=' << value << ", unit mask 0";
    }
    bench.parameters().set(info.name, info.default_value);
  };
  std::size_t values = 0, number = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    if (number++ % pmusim::sampling != 0) return;
    if (breaks_promise(info.name)) {
      few.parameters().set(info.name, value);
      EXPECT_FALSE(few.judge_all(testbench::Depth::full).mismatches.empty()) << info.name << " keeps the promise";
      few.parameters().set(info.name, info.default_value);
      return;
    }
    judge(few, alpha || sampling() == 1 ? testbench::Depth::full : testbench::Depth::basic, info, value);
    if (!alpha && changes_counts(target, info.name) && sampling() == 1) {
      judge(bench_of(target), whole ? testbench::Depth::full : testbench::Depth::basic, info, value);
    }
    ++values;
  });
  std::cout << target << ": " << values << " other values of PMU parameters pass\n";
}

TEST_P(PmuParameters, AreCaughtInTheModelAlone) {
  const std::string target = GetParam();
  std::size_t caught = 0, expected = 0, number = 0;
  Bench few(target, {}, 5 * sampling());
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    if (number++ % sampling() != 0 || breaks_promise(info.name)) return;
    const Exchange exchange = OtherMonitor::with(target, info.name, value);
    if (!changes_counts(target, info.name)) {
      EXPECT_FALSE(few.notices(all_rows(target), exchange))
          << info.name << '=' << value << " changes a count after all";
      return;
    }
    ++expected;
    const bool noticed = bench_of(target).notices(all_rows(target), exchange);
    caught += noticed ? 1 : 0;
    EXPECT_TRUE(noticed) << info.name << '=' << value << " in the model alone is not noticed";
  });
  std::cout << target << ": caught " << caught << " of " << expected << " values that change a count\n";
}

// The 750GL is the 750GX under another name.
INSTANTIATE_TEST_SUITE_P(Targets, PmuParameters,
                         testing::Values("ppc750gx", "athlon", "alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6",
                                         "alpha-ev67"),
                         target_name);

// A misspelt row of the table above would exclude a parameter from the test.
TEST(SilentParameters, Exist) {
  for (const SilentOn& row : silent)
    EXPECT_TRUE(models::find_target(row.target)->parameters().has(row.parameter)) << row.target << ' ' << row.parameter;
}

// A name that is a parameter again must leave the table of those that are gone.
TEST(RemovedParameters, AreParametersOfNoTarget) {
  for (const models::Target& target : models::targets()) {
    const models::Parameters parameters = target.parameters();
    for (const models::ParameterInfo& info : parameters.infos())
      EXPECT_EQ(models::behaviour_instead_of(info.name), "") << target.name << ' ' << info.name;
  }
}

}  // namespace
}  // namespace pmusim::testbench::faults
