// Random programs under random values of parameters that have choices: whatever the draw, model and oracle agree on
// every event and filter of the plan. `scripts/differential` gives each night cases that no earlier one had.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>

#include "models/targets.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/core_random/programs.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/scratch.h"
#include "testbench/validate/candidate.h"
#include "testbench/validate/judging_bench.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {
namespace {

/// Values under which an encoder of this project does not do what the manual page promises (docs/targets), so that the
/// comparison must fail; or under which the oracle, which knows only what was asked for, cannot say what registers do.
constexpr std::array<std::string_view, 3> broken_promises{"pmu.memory_tag", "pmu.data_channels", "pmu.code_bc"};

bool keeps_promises(std::string_view parameter) {
  return std::find(broken_promises.begin(), broken_promises.end(), parameter) == broken_promises.end();
}

class Draw {
 public:
  Draw(const models::Target& target, unsigned seed) : target_(target), random_(seed ^ 0xc401ce5) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  /// One in four of the monitor's choices and one in eight of the core's.
  models::Parameters parameters() {
    models::Parameters drawn = target_.parameters();
    changed_.clear();
    for (const models::ParameterInfo& info : drawn.infos()) {
      if (info.choices.empty() || !keeps_promises(info.name)) continue;
      if (below(info.name.starts_with("pmu.") ? 4 : 8) != 0) continue;
      const models::Choice& choice = info.choices[below(info.choices.size())];
      if (choice.value == info.default_value) continue;
      drawn.set(info.name, choice.value);
      changed_ += fmt::format(" --set {}={}", info.name, choice.name);
    }
    return drawn;
  }
  [[nodiscard]] const std::string& changed() const { return changed_; }

 private:
  const models::Target& target_;
  std::mt19937_64 random_;
  std::string changed_;
};

class RandomChoices : public testing::TestWithParam<const char*> {};

TEST_P(RandomChoices, AreReadAlikeByModelAndOracle) {
  const models::Target& target = *models::find_target(GetParam());
  const Scratch scratch;
  const unsigned first = first_case(), end = first + cases(sanitized ? 1 : 6);
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

INSTANTIATE_TEST_SUITE_P(Targets, RandomChoices, testing::Values("ppc750gx", "athlon", "itanium2", "montecito"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pmusim::testbench
