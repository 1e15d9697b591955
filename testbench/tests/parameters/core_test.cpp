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
#include "testbench/tests/faults/sampled.h"

namespace pmusim::testbench::faults {

namespace {

/// Every value needs a separate core run, so only one in this many traces is run: the IA-64 processors have the most
/// parameters and traces.
std::size_t stride_of(std::string_view target) { return target == "itanium2" || target == "montecito" ? 24 : 3; }

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

INSTANTIATE_TEST_SUITE_P(Targets, CoreParameters, testing::Values("ppc750gx", "athlon", "itanium2", "montecito"),
                         [](const auto& info) { return std::string(info.param); });

// Behaviours that charge a cycle to the state of the next one: counts must not depend on the lengths of blocks. The
// core runs in blocks of many lengths, and the oracle counts the same blocks.

struct Case {
  const char* name;
  const char* target;
  const char* parameter;
  const char* event;
  const char* trace;
  bool interruptible;  ///< perturbing mode: the core does not run ahead
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Cuts : public testing::TestWithParam<Case> {};

struct Counted {
  std::uint64_t by_model = 0;
  std::uint64_t by_oracle = 0;
};

Counted count(const Case& c, bool flipped, bool user, activity::Cycle block_cycles) {
  const models::Target& target = *models::find_target(c.target);
  models::Parameters parameters = target.parameters();
  if (flipped) parameters.set(c.parameter, std::int64_t{1});
  testbench::SessionOptions options;
  options.engine = testbench::Engine::direct;
  options.block_cycles = block_cycles;
  options.perturb = c.interruptible;
  testbench::Session session(target, parameters, options);
  const auto encoding = encoder::encode(c.target, std::vector{fmt::format("{}:{}", c.event, user ? "u" : "k")});
  testbench::MonitorSetup setup;
  const auto model = target.make_monitor(parameters);
  for (const encoder::RegisterValue& reg : encoding->registers) {
    setup.writes.push_back({pmu::find_register(*model, reg.name)->id, reg.value});
  }
  session.add_monitor(std::move(setup));
  oracle::Request request;
  request.event = c.event;
  (user ? request.kernel : request.user) = false;
  const auto counter =
      oracle::make_counter(c.target, {request}, [&](std::string_view name) { return parameters.get(name); });
  session.add_observer([&](const activity::Block& block) { counter->consume(block); });
  const auto file = testbench::data_folder() / "isa-traces" / "micro" / (std::string(c.target) + ".pmt") / c.trace;
  const testbench::SessionResult result = session.run(trace::open(file));
  return {result.monitors[0].value(encoding->events[0].counter), counter->tally(0).expected};
}

TEST_P(Cuts, DoNotMatter) {
  const Case& c = GetParam();
  for (const bool user : {true, false}) {
    const Counted whole = count(c, true, user, 1'000'000);
    EXPECT_NE(whole.by_model, count(c, false, user, 1'000'000).by_model) << "the trace does not show the choice";
    for (const activity::Cycle length : {1u, 2u, 3u, 5u, 7u, 11u, 64u, 1'000'000u}) {
      const Counted cut = count(c, true, user, length);
      EXPECT_EQ(cut.by_model, whole.by_model) << "blocks of " << length;
      EXPECT_EQ(cut.by_oracle, whole.by_model) << "blocks of " << length;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    NextCycle, Cuts,
    testing::Values(Case{"athlon", "athlon", "pmu.retire_privilege", "INTERRUPTS_TAKEN", "transfers", false},
                    Case{"athlon_interruptible", "athlon", "pmu.retire_privilege", "INTERRUPTS_TAKEN", "transfers",
                         true},
                    Case{"ppc750gx", "ppc750gx", "pmu.msr_effect", "PROCESSOR_CYCLES", "time_base_write", false}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace

}  // namespace pmusim::testbench::faults
