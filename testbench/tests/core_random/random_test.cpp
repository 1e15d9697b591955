// Every core completes every program: none waits for an event that never comes, and none runs on without progress.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "programs.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {
namespace {

/// Random sizes, latencies and choices of a core; a combination that does not fit together is drawn again.
class Drawn {
 public:
  Drawn(const models::Target& target, std::uint64_t seed) : target_(target), random_(seed ^ 0x5ca1ab1e) {}

  std::unique_ptr<core::Core> core_on(const std::string& text) {
    for (unsigned tries = 0;; ++tries) {
      models::Parameters parameters = target_.parameters();
      changed_.clear();
      if (tries < 1000) draw(parameters);
      try {
        return target_.make_core(trace::open_memory(text, "random"), parameters);
      } catch (const models::ParameterError&) {
        EXPECT_LT(tries, 1000u);
      }
    }
  }
  [[nodiscard]] const std::string& changed() const { return changed_; }

 private:
  void draw(models::Parameters& parameters) {
    const unsigned one_in = 2 + random_() % 30;
    for (const models::ParameterInfo& info : parameters.infos()) {
      if (!info.name.starts_with("core.") || random_() % one_in != 0) continue;
      const std::int64_t value = std::clamp(near(info), info.minimum, info.maximum);
      parameters.set(info.name, value);
      changed_ += fmt::format(" {}={}", info.name, value);
    }
  }

  std::int64_t near(const models::ParameterInfo& info) {
    const auto upto = [&](std::int64_t most) {
      return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most + 1));
    };
    if (!info.choices.empty()) return info.choices[random_() % info.choices.size()].value;
    switch (random_() % 4) {
      case 0:
        return info.minimum;
      case 1:
        return info.default_value >> (1 + random_() % 4);
      case 2:
        return info.default_value << (random_() % 2);
      default:
        return info.minimum + upto(std::min(info.maximum - info.minimum, 2 * info.default_value + 1));
    }
  }

  const models::Target& target_;
  std::mt19937_64 random_;
  std::string changed_;
};

class Random : public testing::TestWithParam<const char*> {};

TEST_P(Random, ProgramsEnd) {
  const models::Target& target = *models::find_target(GetParam());
  const unsigned first = first_case(), end = first + cases(sanitized ? 5 : 40);
  for (unsigned number = first; number < end; ++number) {
    const RandomProgram program = random_program(target.isa, number);
    Drawn drawn(target, number);
    const auto core = drawn.core_on(program.text);
    const std::string where = fmt::format("{} {}:{}", target.name, number, drawn.changed());
    const activity::Cycle most = 10'000'000'000;
    activity::Block block;
    try {
      bool more = true;
      for (; more && core->now() < most;) {
        block.restart(core->now());
        more = core->run(core->now() + 100'000, block);
      }
      EXPECT_FALSE(more) << where << ": no end after " << most << " cycles";
      if (program.instructions != 0) {
        EXPECT_EQ(core->retired(), program.instructions) << where;
      }
      EXPECT_GT(core->retired(), 0u) << where;
    } catch (const std::exception& error) {
      ADD_FAILURE() << where << ": " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, Random,
                         testing::Values("athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                         "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace pmusim::testbench
