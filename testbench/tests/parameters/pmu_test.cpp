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
#include "values.h"

namespace pmusim::testbench::faults {
namespace {

constexpr std::array silent{
    // ppc750gx, ppc750gl
    Silent{"pmu.supervisor_fault", "which fault an access takes"},
    Silent{"pmu.missing_spr_fault", "which fault an access takes"},
    Silent{"pmu.mmcr1_reserved", "what reserved bits read as"},
    Silent{"pmu.hreset", "what a reset clears"},
    Silent{"pmu.enint_clear", "interrupts"},
    Silent{"pmu.discount_scope", "counting after an interrupt condition"},
    Silent{"pmu.discount_override", "counting after an interrupt condition"},
    Silent{"pmu.trigger_release", "counting with PMCTRIGGER"},
    Silent{"pmu.trigger_self_clear", "counting with PMCTRIGGER"},
    Silent{"pmu.trigger_source", "counting with PMCTRIGGER"},
    Silent{"pmu.sia_cycle", "SIA"},
    Silent{"pmu.sia_pair", "SIA"},
    Silent{"pmu.read_order", "what a program reads"},
    Silent{"pmu.discount_effect", "counting after an interrupt condition"},
    // athlon
    Silent{"pmu.select_write", "the clock of a program's own write"},
    Silent{"pmu.rdpmc_index", "which fault an access takes"},
    Silent{"pmu.lvt_low_vector", "interrupts"},
    Silent{"pmu.reserved_bits", "what reserved bits read as"},
    Silent{"pmu.unknown_msr", "which fault an access takes"},
    Silent{"pmu.counter_write", "which fault an access takes"},
    Silent{"pmu.counter_read", "what a read gives for the bits above 47"},
    Silent{"pmu.reset", "what a reset clears"},
    Silent{"pmu.has_apic", "interrupts"},
    Silent{"pmu.lvt_mask_after", "interrupts"},
    Silent{"pmu.skid", "interrupts"},
    Silent{"pmu.request_delay", "interrupts"},
    Silent{"pmu.undefined_event", "codes that no event has"},
    Silent{"pmu.increment_limit", "more of an event in a clock than the core makes"},
    Silent{"pmu.pin_polarity", "pins"},
    Silent{"pmu.pin_merge", "pins"},
    Silent{"pmu.tsc_in_halt", "the time stamp counter"},
};

bool changes_counts(std::string_view parameter) {
  return std::none_of(silent.begin(), silent.end(), [&](const Silent& s) { return s.parameter == parameter; });
}

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
  Bench few(target, {}, 5 * sampling());
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
    judge(few, sampling() == 1 ? testbench::Depth::full : testbench::Depth::basic, info, value);
    if (changes_counts(info.name) && sampling() == 1) {
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
    if (number++ % sampling() != 0) return;
    const Exchange exchange = OtherMonitor::with(target, info.name, value);
    if (!changes_counts(info.name)) {
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
INSTANTIATE_TEST_SUITE_P(Targets, PmuParameters, testing::Values("ppc750gx", "athlon"),
                         [](const auto& info) { return std::string(info.param); });

// A misspelt row of the table above would exclude a parameter from the test.
TEST(SilentParameters, Exist) {
  for (const Silent& row : silent) {
    EXPECT_TRUE(models::find_target("athlon")->parameters().has(row.parameter) ||
                models::find_target("ppc750gx")->parameters().has(row.parameter))
        << row.parameter;
  }
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
