// Behaviours that charge a cycle to the state of the next one: counts must not depend on the lengths of blocks. The
// core runs in blocks of many lengths, and the oracle counts the same blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/session.h"
#include "testbench/oracle/oracle.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench::faults {
namespace {

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
