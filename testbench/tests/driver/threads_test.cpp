// Two hardware threads: each PMU counts and samples its own program, and accesses reach the right PMU.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "testbench/driver/captured.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;
using activity::State;
using pmu::ia64::RecordedBranch;
using Readers = std::vector<std::unique_ptr<trace::Reader>>;

/// PMC4-15: an event at levels 0 and 3 of IA-64 code, with oi, of the PMU's own thread or of both.
constexpr std::uint64_t ia64_code = 2 << 24, levels = 9, oi = 1 << 5, both = 1 << 26;
constexpr std::uint64_t instructions_retired = 0x08 << 8;

const models::Target& montecito_target() { return *models::find_target("montecito"); }

RegisterWrite write_of(const char* name, std::uint64_t value) {
  return {find_register(*montecito_target().make_monitor(montecito_target().parameters()), name).value().id, value};
}

/// Bundles of three NOPs, each a group; number `reader` reads PMD4.
std::unique_ptr<trace::Reader> nops(std::uint64_t base, unsigned count, unsigned reader = ~0u) {
  std::string text = "! isa ia64\n";
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("{:x} 01000000010000000002000000000400 xxx{}\n", base + 16 * i, i == reader ? " rd=PMD4" : "");
  return trace::open_text(text, "nops");
}
Readers two(std::unique_ptr<trace::Reader> first, std::unique_ptr<trace::Reader> second) {
  Readers readers;
  readers.push_back(std::move(first));
  readers.push_back(std::move(second));
  return readers;
}
std::unique_ptr<trace::Reader> recorded(const std::string& name) {
  return trace::open(PMUSIM_SOURCE_DIR "/isa-traces/recorded/" + name + ".pmt");
}

SessionOptions direct_engine() {
  SessionOptions options;
  options.engine = Engine::direct;
  return options;
}

constexpr std::uint64_t here = 0x4000000000000400, there = 0x4000000000010400;

TEST(Threads, CountTheirOwnProgram) {
  const std::vector<RegisterWrite> writes{write_of("PMC4", ia64_code | instructions_retired | levels),
                                          write_of("PMC5", ia64_code | instructions_retired | levels | both)};
  Session session(montecito_target(), montecito_target().parameters(), direct_engine());
  session.add_monitor({writes, {}, 0});
  session.add_monitor({writes, {}, 1});
  const SessionResult result = session.run(two(nops(here, 20), nops(there, 30, 10)));
  EXPECT_EQ(result.instructions, 20u + 30);
  EXPECT_EQ(result.instructions_of[0], 20u);
  EXPECT_EQ(result.instructions_of[1], 30u);
  EXPECT_EQ(result.monitors[0].value("PMD4"), 3 * 20u);
  EXPECT_EQ(result.monitors[1].value("PMD4"), 3 * 30u);
  for (const MonitorResult& monitor : result.monitors) EXPECT_EQ(monitor.value("PMD5"), 3 * (20u + 30));
  // The second program's access reached only its own registers.
  EXPECT_TRUE(result.monitors[0].accesses.empty());
  ASSERT_EQ(result.monitors[1].accesses.size(), 1u);
  EXPECT_EQ(result.monitors[1].accesses[0].value, 3 * 10u);
  EXPECT_EQ(result.monitors[1].accesses[0].ip, there + 16 * 10);
}

/// Two recorded programs that alternate, each sampled by its own PMU.
struct Profile {
  SessionResult result;
  std::array<std::vector<Sample>, 2> samples;
  std::array<std::map<Cycle, std::uint64_t>, 2> retired;  ///< instructions by cycle
  std::map<Cycle, std::uint64_t> active;                  ///< thread, from this cycle on
};
Profile profile(const std::array<std::uint64_t, 2>& periods, SessionOptions options) {
  Profile profile;
  models::Parameters parameters = montecito_target().parameters();
  parameters.set("core.quantum", std::int64_t{700});
  options.region.end = 5000;
  Session session(montecito_target(), parameters, options);
  std::vector<std::unique_ptr<Sampler>> samplers;
  for (unsigned thread = 0; thread < 2; ++thread) {
    samplers.push_back(std::make_unique<Sampler>(
        montecito_target(), parameters, std::vector<SampledCounter>{{"PMD4", periods[thread]}},
        [&profile, thread](const Sample& s) { profile.samples[thread].push_back(s); }));
    MonitorSetup setup{samplers.back()->presets(), std::ref(*samplers.back()), thread};
    setup.writes.push_back(write_of("PMV", 0xee));
    setup.writes.push_back(write_of("PMC4", ia64_code | instructions_retired | levels | oi));
    session.add_monitor(std::move(setup));
  }
  session.add_observer([&](const Block& block) {
    for (const auto& o : block.column(Signal::retire))
      profile.retired[block.instructions[o.ref].thread][block.begin + o.at] += o.amount;
    const activity::StateColumn& thread = block.state(State::thread);
    profile.active[block.begin] = thread.initial;
    for (const activity::Change& change : thread.changes) profile.active[block.begin + change.at] = change.value;
  });
  profile.result = session.run(two(recorded("ia64-quicksort-O2"), recorded("ia64-sieve-O2")));
  return profile;
}

TEST(Threads, AreSampledEachByItsOwnMonitor) {
  constexpr std::uint64_t period = 101;
  const Profile got = profile({period, period}, direct_engine());
  for (unsigned thread = 0; thread < 2; ++thread) {
    ASSERT_GT(got.samples[thread].size(), 10u);
    std::uint64_t events = 0;
    std::size_t next = 0;
    Cycle running = 0;  // first cycle after the freeze, which lasts from after the overflow to the end of the handler
    for (const auto& [at, count] : got.retired[thread]) {
      if (at < running) continue;
      events += count;
      if (events < period || next == got.samples[thread].size()) continue;
      const Sample& sample = got.samples[thread][next++];
      ASSERT_EQ(sample.requested, at) << "thread " << thread << ", sample " << sample.index;
      EXPECT_EQ(sample.thread, thread);
      // The interrupt is taken while its own program runs.
      EXPECT_EQ(std::prev(got.active.upper_bound(sample.cycle - 1))->second, thread);
      running = sample.cycle;
      events -= period;
    }
    EXPECT_EQ(next, got.samples[thread].size());
  }
}

/// Samples of perturbing mode do not depend on the length of blocks.
void expect_exact(const std::array<std::uint64_t, 2>& periods) {
  SessionOptions options = direct_engine();
  options.perturb = true;
  const Profile large = profile(periods, options);
  options.block_cycles = 1;
  const Profile small = profile(periods, options);
  EXPECT_EQ(small.result.end_cycle, large.result.end_cycle);
  for (unsigned thread = 0; thread < 2; ++thread) {
    ASSERT_EQ(small.samples[thread].size(), large.samples[thread].size());
    for (std::size_t i = 0; i < small.samples[thread].size(); ++i)
      EXPECT_EQ(small.samples[thread][i].cycle, large.samples[thread][i].cycle);
  }
}

TEST(Threads, PerturbEachOther) {
  constexpr std::uint64_t period = 101, never = 1'000'000;
  SessionOptions options = direct_engine();
  const Profile observed = profile({period, period}, options);
  options.perturb = true;
  const Profile perturbed = profile({period, period}, options);
  const std::size_t taken = perturbed.samples[0].size() + perturbed.samples[1].size();
  EXPECT_GT(std::min(perturbed.samples[0].size(), perturbed.samples[1].size()), 3u);
  EXPECT_GT(perturbed.result.end_cycle, observed.result.end_cycle + 25 * taken);
  expect_exact({period, period});
  expect_exact({never, period});  // the other PMU requests nothing for a long time
  expect_exact({period, never});
}

// A miss of the first thread completes while the second runs, and the counter of the first thread overflows: the first
// thread takes the interrupt when it runs again.
TEST(Threads, AnOverflowInTheBackgroundIsTakenInTheForeground) {
  constexpr std::uint64_t exclusive_fills = 0xf2 << 8 | 1 << 16, before_wrap = (std::uint64_t{1} << 47) - 1;
  const auto micro = [](const std::string& name) {
    return trace::open(PMUSIM_SOURCE_DIR "/isa-traces/micro/montecito.pmt/" + name);
  };
  for (const bool perturb : {false, true}) {
    SCOPED_TRACE(perturb ? "perturbing" : "observing");
    SessionOptions options = direct_engine();
    options.perturb = perturb;
    Session session(montecito_target(), montecito_target().parameters(), options);
    std::vector<pmu::EntryState> taken;
    session.add_monitor({{write_of("PMV", 0xee), write_of("PMD4", before_wrap),
                          write_of("PMC4", ia64_code | exclusive_fills | levels | oi)},
                         [&](RegisterBus&, const pmu::EntryState& entry) { taken.push_back(entry); },
                         0});
    std::vector<Cycle> fills;
    std::map<Cycle, std::uint64_t> active{{0, 0}};  // thread, from this cycle on
    session.add_observer([&](const Block& block) {
      for (const auto& o : block.column(Signal::l2_fill)) fills.push_back(block.begin + o.at);
      for (const activity::Change& change : block.state(State::thread).changes)
        active[block.begin + change.at] = change.value;
    });
    session.run(two(micro("misses_0"), micro("misses_1")));
    const auto active_in = [&](Cycle cycle) { return std::prev(active.upper_bound(cycle))->second; };
    ASSERT_FALSE(fills.empty());
    ASSERT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken[0].requested, fills[0]);
    EXPECT_EQ(active_in(fills[0]), 1u);
    EXPECT_EQ(active_in(taken[0].cycle - 1), 0u);
    EXPECT_EQ(taken[0].thread, 0u);
  }
}

TEST(Threads, AreRefusedWhereThereIsOne) {
  const models::Target& athlon = *models::find_target("athlon");
  EXPECT_THROW(Session(athlon, athlon.parameters(), direct_engine())
                   .run(two(recorded("i386-matmul-int"), recorded("i386-matmul-int"))),
               std::invalid_argument);
  SessionOptions options = direct_engine();
  options.perturb = true;
  Session twice(montecito_target(), montecito_target().parameters(), options);
  twice.add_monitor({{}, {}, 1});
  twice.add_monitor({{}, {}, 1});
  EXPECT_THROW(twice.run(two(nops(here, 3), nops(there, 3))), std::invalid_argument);
}

// --- the registers of the buffer --------------------------------------------------------------------------------

/// Decodes registers with these values; all others are 0.
Captured decoded(const std::vector<RegisterWrite>& programming, const std::map<std::string_view, std::uint64_t>& held) {
  return CaptureUnits("montecito", programming).decode([&](std::string_view name) {
    const auto found = held.find(name);
    return found == held.end() ? 0 : found->second;
  });
}

// PMD38: next entry 3:0, full 5. PMD39: bits 3:0 belong to PMD48, 7:4 to PMD56, 11:8 to PMD49.
TEST(Buffer, OfBranches) {
  const std::vector<RegisterWrite> taken{write_of("PMC39", 0x3e09)};
  const auto captured = decoded(taken, {{"PMD48", 0x4000000000000101 | 2 << 2},
                                        {"PMD49", 0x4000000000000202},
                                        {"PMD50", 0x4000000000000201 | 1 << 2},
                                        {"PMD38", 3},
                                        {"PMD39", 1 | 3ull << 16}});
  ASSERT_TRUE(captured.branches.has_value());
  EXPECT_FALSE(captured.retired.has_value());
  using Outcome = RecordedBranch::Outcome;
  EXPECT_EQ(*captured.branches,
            (std::vector<RecordedBranch>{{0x4000000000000110, true, 2, Outcome::correct, 0x4000000000000200},
                                         {0x4000000000000210, true, 1, Outcome::back_end_mispredicted, std::nullopt}}));
  EXPECT_EQ(path_of(*captured.branches), (std::vector<CodeStretch>{{0x4000000000000200, 0x4000000000000210}}));
  EXPECT_TRUE(CaptureUnits("montecito", taken).records_path());
  // No path with a filter of kind or prediction, and none without taken branches.
  for (const std::uint64_t other : {0x7e09, 0x3a09, 0x1e09, 0x3d09, 0x3e00})
    EXPECT_FALSE(CaptureUnits("montecito", std::vector{write_of("PMC39", other)}).records_path()) << other;
}

// PMC42 in mode 4 makes the buffer the IP-EAR: address bits 63:4, then 6 bits of bubbles, two of them in PMD39.
TEST(Buffer, OfRetirement) {
  const std::vector<RegisterWrite> on{write_of("PMC39", 0x3e09), write_of("PMC42", 0x409)};
  const auto captured = decoded(on, {{"PMD48", 0x4000000000000400 >> 4},
                                     {"PMD49", 0x4000000000000420 >> 4 | 5ull << 60},
                                     {"PMD38", 2},
                                     {"PMD39", 0x600}});  // cycles bits 5:4 = 2, flush
  ASSERT_TRUE(captured.retired.has_value());
  EXPECT_FALSE(captured.branches.has_value());
  EXPECT_EQ(*captured.retired, (std::vector<pmu::ia64::RetiredGroup>{{0x4000000000000400, 0, false},
                                                                     {0x4000000000000420, 2 * 16 + 5, true}}));
}

TEST(Path, GoesFromBranchToBranch) {
  using Outcome = RecordedBranch::Outcome;
  const std::vector<RecordedBranch> branches{{0x100, true, 2, Outcome::correct, 0x200},
                                             {0x210, false, 0, Outcome::correct, {}},
                                             {0x240, true, 2, Outcome::correct, {}},  // target not recorded
                                             {0x310, false, 0, Outcome::correct, {}},
                                             {0x330, true, 2, Outcome::correct, 0x400}};
  EXPECT_EQ(path_of(branches), (std::vector<CodeStretch>{{0x200, 0x240}, {0x310, 0x330}}));
  EXPECT_TRUE(path_of({}).empty());
}

}  // namespace
}  // namespace pmusim::testbench
