// The steps that a monitor reports for its counters must add up to the counts, and reporting must not change any
// result: for random activity, registers, behaviours, interrupts and writes, on all targets.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>

#include "models/alpha/alpha.h"
#include "models/targets.h"
#include "testbench/explain/recorder.h"
#include "testbench/tests/pmu_itanium2/bench.h"
#include "testbench/tests/pmu_properties/scenario.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testing {

namespace {

using pmu::Step;
using testbench::CounterRecord;
using testbench::Recorder;

bool is_alpha(const Subject& subject) { return subject.name.starts_with("ev") || subject.name == "pca56"; }
bool is_ia64(const Subject& subject) { return subject.name == "itanium2" || subject.name == "montecito"; }

/// The value of a counter, and the modulus at which it wraps.
struct Held {
  std::uint64_t value;
  std::uint64_t modulus;
};
Held held(const Subject& subject, pmu::Monitor& monitor, unsigned i) {
  if (is_alpha(subject)) {
    const pmu::AlphaTotals totals = pmu::alpha_totals(monitor, i);
    return {totals.whole, totals.modulus};
  }
  const auto value = [&](const std::string& name) { return monitor.read(find_register(monitor, name)->id, {}).value; };
  if (is_ia64(subject)) return {value(fmt::format("PMD{}", i + 4)), std::uint64_t{1} << 47};
  if (subject.name == "athlon") return {value(fmt::format("PerfCtr{}", i)), std::uint64_t{1} << 48};
  return {value(fmt::format("PMC{}", i + 1)), std::uint64_t{1} << 31};  // bit 0 may be sticky
}

/// Empty, or a message that describes what does not add up.
std::string fault_of(const CounterRecord& record, const Held& now) {
  if ((record.base + record.since) % now.modulus != now.value % now.modulus)
    return fmt::format("holds {:#x}, adds up to {:#x}", now.value % now.modulus,
                       (record.base + record.since) % now.modulus);
  if (record.left_after(Step::added) != record.since + record.overwritten) return "the last step is not the sum";
  std::uint64_t charged = record.unnamed;
  for (const auto& [culprit, amount] : record.by_culprit) charged += amount;
  if (charged != record.left_after(Step::added)) return fmt::format("{} are charged", charged);
  return "";
}

/// Forwards all calls and checks every cycle: no step may leave more than the step before.
class Watch : public pmu::Probe {
 public:
  Watch(Recorder& recorder, const Subject& subject) : recorder_(recorder), subject_(subject) {}
  void looks_at(unsigned i, activity::Signal signal, activity::State state) override {
    recorder_.looks_at(i, signal, state);
  }
  void left(unsigned i, Step step, const pmu::Run& run) override {
    recorder_.left(i, step, run);
    for (Cycle at = run.begin; at < run.end; ++at) {
      std::optional<std::uint64_t>& sum = cycles_[{i, at}][static_cast<std::size_t>(step)];
      sum = sum.value_or(0) + run.n;
    }
  }
  void named(unsigned i, const Block& block, activity::Signal signal, const activity::Occurrence& o,
             std::uint32_t amount) override {
    recorder_.named(i, block, signal, o, amount);
  }
  void written(unsigned i, std::uint64_t value) override { recorder_.written(i, value); }

  /// Empty, or a message about a step that leaves more in a cycle than the step before.
  [[nodiscard]] std::string fault() const {
    for (const auto& [place, left] : cycles_) {
      std::optional<std::uint64_t> before;
      for (std::size_t i = 0; i < pmu::step_count; ++i) {
        if (!left[i]) continue;
        const auto step = static_cast<Step>(i);
        const std::uint64_t most = weighs(step) ? 4 * before.value_or(0) : before.value_or(0);
        const bool awaited = step == Step::added && !left[static_cast<std::size_t>(Step::limited)] && is_ia64(subject_);
        if (before && takes_away(step) && !awaited && *left[i] > most) {
          return fmt::format("counter {}, cycle {}: {} leaves {} of {}", place.first, place.second,
                             testbench::name_of(step), *left[i], *before);
        }
        before = left[i];
      }
    }
    return "";
  }

 private:
  /// False for steps that may increase the count: a filter may weight what it selects, and a counter that takes the
  /// rest of a burst later takes more than occurred in that cycle.
  static bool takes_away(Step step) {
    return step != Step::signal && step != Step::selected && step != Step::inverted && step != Step::carried;
  }
  /// An Alpha's counter weights what it adds. Where an event of an IA-64 PMU also counts the cycles before a
  /// retirement, the amount added in one cycle is unlimited.
  [[nodiscard]] bool weighs(Step step) const { return step == Step::added && is_alpha(subject_); }

  Recorder& recorder_;
  const Subject& subject_;
  std::map<std::pair<unsigned, Cycle>, std::array<std::optional<std::uint64_t>, pmu::step_count>> cycles_;
};

/// All ten targets. On the 21264A these are its counters, with ProfileMe off.
std::vector<Subject> targets() {
  std::vector<Subject> all;
  for (const Subject& subject : subjects()) {
    if (subject.name == "toy") continue;
    all.push_back(subject);
    if (subject.name == "ppc750gx") {
      all.push_back({"ppc750gl",
                     [](std::uint64_t) {
                       const models::Target& target = *models::find_target("ppc750gl");
                       return target.make_monitor(target.parameters());
                     },
                     subject.shape});
    }
    if (subject.name != "ev67") continue;
    static const ValueShaper shape = subject.shape;
    all.back().shape = [](const pmu::RegisterInfo& info, std::uint64_t random) {
      return info.name == "PCTR_CTL" ? shape(info, random) & ~std::uint64_t{0x10} : shape(info, random);
    };
  }
  return all;
}

/// Runs a scenario with a watching probe. Returns what does not add up.
std::string run(const Subject& subject, std::uint64_t seed, const Scenario& scenario, Outcome& outcome,
                std::uint64_t& added) {
  Recorder recorder(16);
  Watch watch(recorder, subject);
  std::string fault;
  const auto begin = [&](pmu::Monitor& monitor) {
    for (unsigned i = 0; i < monitor.counter_count(); ++i) recorder.written(i, held(subject, monitor, i).value);
    monitor.watch(&watch);
  };
  const auto end = [&](pmu::Monitor& monitor) {
    for (unsigned i = 0; i < monitor.counter_count() && fault.empty(); ++i) {
      fault = fault_of(recorder.counter(i), held(subject, monitor, i));
      if (!fault.empty()) fault = fmt::format("counter {}: {}", i, fault);
      added += recorder.counter(i).left_after(Step::added);
    }
  };
  outcome = run_pure(subject, seed, scenario, scenario.cuts, {begin, end});
  return fault.empty() ? watch.fault() : fault;
}

class Explain : public ::testing::TestWithParam<Subject> {
 protected:
  static void SetUpTestSuite() { setenv("RC_PARAMS", sanitized ? "max_success=60" : "max_success=300", 0); }
};

TEST_P(Explain, AddsUpAndChangesNothing) {
  const Subject& subject = GetParam();
  std::uint64_t added = 0;
  EXPECT_TRUE(rc::check(subject.name + ": the steps add up", [&] {
    const Scenario scenario = *scenarios();
    const std::uint64_t seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    Outcome watched;
    const std::string fault = run(subject, seed, scenario, watched, added);
    if (!fault.empty()) RC_FAIL(fault);
    RC_ASSERT(watched == run_pure(subject, seed, scenario, scenario.cuts));
  }));
  EXPECT_GT(added, sanitized ? 100u : 1000u);  // a counter that never counts always adds up
}

INSTANTIATE_TEST_SUITE_P(Monitors, Explain, ::testing::ValuesIn(targets()),
                         [](const auto& info) { return info.param.name; });

TEST(ExplainTargets, AllTen) { EXPECT_EQ(targets().size(), models::targets().size()); }

}  // namespace

// The gate that stopped a count: the steps before the closed gate report the full count, the closed one and later ones
// zero.

namespace {

using pmu::Step;
using testbench::Recorder;

constexpr std::array gates{Step::clock,     Step::enabled,     Step::frozen,
                           Step::privilege, Step::monitor_bit, Step::instruction_set};

// One instruction retires in each of ten cycles, at level 0 in IA-64 code with PSR.up = 1.
TEST(ExplainGates, OfAnItanium2) {
  for (const Step closed : {Step::clock, Step::enabled, Step::frozen, Step::privilege, Step::monitor_bit,
                            Step::instruction_set, Step::count_}) {
    SCOPED_TRACE(closed == Step::count_ ? "none" : testbench::name_of(closed));
    const auto is = [&](Step step) { return step == closed; };
    Activity activity(10);
    for (Cycle at = 0; at < 10; ++at) activity.retires(at);
    if (is(Step::clock)) activity.state(State::clock, 0);
    if (is(Step::monitor_bit)) activity.state(State::psr, psr::i);
    auto monitor = counting({});
    put(*monitor, pmc(4),
        event(retired) | (is(Step::enabled) ? 0 : enable) | (is(Step::privilege) ? 0xe : any_level) |
            ism(is(Step::instruction_set) ? 1 : 0));
    if (is(Step::frozen)) put(*monitor, pmc(0), 1);
    Recorder recorder(4);
    monitor->watch(&recorder);
    monitor->consume(activity.block(), 0, 10);
    const testbench::CounterRecord& told = recorder.counter(0);
    for (const Step step : gates) {
      const auto& left = told.left[static_cast<std::size_t>(step)];
      EXPECT_EQ(left, std::optional<std::uint64_t>(step < closed ? 10 : 0)) << testbench::name_of(step);
    }
    EXPECT_EQ(told.left_after(Step::added), is(Step::count_) ? 10u : 0u);
    EXPECT_EQ(get(*monitor, pmd(4)), is(Step::count_) ? 10u : 0u);
  }
}

}  // namespace

}  // namespace pmusim::testing
