// Random programs under other values of parameters: whatever the draw, model and oracle agree on every event and filter
// of the plan that has a right answer. `scripts/differential` gives each night cases that no earlier one had.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>

#include "models/targets.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/broken_promises.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/judge/trial/judging_bench.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/core_random/programs.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/scratch.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench {
namespace {

/// A value of a parameter, as the option --set writes it.
struct Setting {
  std::string parameter;
  std::int64_t value;
  std::string text;
};

/// All values of the monitor's parameters but the defaults; of a number the limits, and a value that is near the
/// default.
std::vector<Setting> other_values(const models::Target& target) {
  std::vector<Setting> all;
  const models::Parameters parameters = target.parameters();
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.") || info.name == "pmu.thread") continue;  // a place, not a behaviour
    const auto add = [&](std::int64_t value, std::string_view name) {
      if (value != info.default_value)
        all.push_back({std::string(info.name), value, fmt::format("--set {}={}", info.name, name)});
    };
    for (const models::Choice& choice : info.choices) add(choice.value, choice.name);
    if (!info.choices.empty()) continue;
    for (const std::int64_t value :
         std::set{info.minimum, info.maximum, std::min(info.default_value + 2, info.maximum)}) {
      add(value, std::to_string(value));
    }
  }
  return all;
}

/// In this many cases that follow each other every value of every parameter of the monitor has its turn.
constexpr unsigned turns = 6;

/// Settings of one case: the values of the monitor's parameters whose turn it is, one in eight of the others, and one
/// in eight of the core's choices.
class Draw {
 public:
  Draw(const models::Target& target, unsigned seed) : target_(target), seed_(seed), random_(seed ^ 0xc401ce5) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  models::Parameters parameters() {
    models::Parameters drawn = target_.parameters();
    const std::vector<Setting> values = other_values(target_);
    for (const Setting& value : values) {
      if (below(8) == 0) drawn.set(value.parameter, value.value);
    }
    for (std::size_t i = seed_ % turns; i < values.size(); i += turns) drawn.set(values[i].parameter, values[i].value);
    const models::Parameters known = drawn;
    for (const models::ParameterInfo& info : known.infos()) {
      if (info.name.starts_with("pmu.") || info.choices.empty() || below(8) != 0) continue;
      drawn.set(info.name, info.choices[below(info.choices.size())].value);
    }
    describe(drawn, values);
    return drawn;
  }
  [[nodiscard]] const std::string& changed() const { return changed_; }

 private:
  void describe(const models::Parameters& drawn, const std::vector<Setting>& values) {
    changed_.clear();
    for (const models::ParameterInfo& info : drawn.infos()) {
      for (const models::Choice& choice : info.choices) {
        if (choice.value == drawn.get(info.name) && choice.value != info.default_value)
          changed_ += fmt::format(" --set {}={}", info.name, choice.name);
      }
      for (const Setting& value : values) {
        if (info.choices.empty() && value.parameter == info.name && value.value == drawn.get(info.name))
          changed_ += ' ' + value.text;
      }
    }
  }

  const models::Target& target_;
  unsigned seed_;
  std::mt19937_64 random_;
  std::string changed_;
};

class RandomChoices : public testing::TestWithParam<const char*> {};

TEST_P(RandomChoices, AreReadAlikeByModelAndOracle) {
  const models::Target& target = *models::find_target(GetParam());
  const Scratch scratch;
  const unsigned first = first_case(), end = first + cases(sanitized ? 1 : turns);
  std::uint64_t checks = 0;
  for (unsigned number = first; number < end; ++number) {
    const auto file = scratch / fmt::format("{}-{}.txt", target.name, number);
    std::ofstream(file) << random_program(target.isa, number).text;
    Draw draw(target, number);
    std::optional<JudgingBench> bench;
    ActivityLog log;
    for (unsigned tries = 0; !bench; ++tries) {
      ASSERT_LT(tries, 100u) << "no draw is consistent";
      try {
        bench.emplace(std::string(target.name), draw.parameters());
        log = bench->record(file);
      } catch (const models::ParameterError&) {
        bench.reset();
      }
    }
    std::vector<Group> plan = make_plan(std::string(target.name), Depth::full, find_landmarks(file));
    LeftOut(std::string(target.name), bench->parameters()).remove_from(plan);
    constexpr std::size_t most = 150;  // groups of a case
    while (plan.size() > most) {
      std::swap(plan[draw.below(plan.size())], plan.back());
      plan.pop_back();
    }
    const JobVerdict verdict = bench->judge({file.stem(), {}, &log}, std::move(plan));
    for (const Mismatch& mismatch : verdict.mismatches) {
      ADD_FAILURE() << target.name << " " << number << ":" << draw.changed() << "\n  " << mismatch.sample.event << " ("
                    << mismatch.sample.registers << ") counts " << mismatch.sample.counted << ", expected "
                    << mismatch.sample.expected << " " << mismatch.problem;
    }
    for (const auto& [row, result] : verdict.rows) checks += result.checks;
  }
  EXPECT_GT(checks, 0u);
}

INSTANTIATE_TEST_SUITE_P(Targets, RandomChoices,
                         testing::Values("ppc750gx", "athlon", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                         "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         target_name);

}  // namespace
}  // namespace pmusim::testbench
