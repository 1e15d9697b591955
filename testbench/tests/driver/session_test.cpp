// A session gives the counts that follow from counting the activity by hand, with every engine and any block length.
#include "testbench/driver/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/driver/activity_source.h"
#include "testbench/driver/sampling.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;

constexpr std::uint64_t instructions = 6000;

std::unique_ptr<trace::Reader> trace_of(const std::string& name) {
  return trace::open(std::string(PMUSIM_SOURCE_DIR) + "/isa-traces/recorded/" + name + ".pmt");
}

pmu::RegisterId id_of(const models::Target& target, const char* name) {
  return find_register(*target.make_monitor(target.parameters()), name).value().id;
}

/// One target: one counter is sampled every `period` retired instructions, another counts clocks.
struct Setup {
  const char* target;
  const char* trace;
  const char* sampled;
  Cycle request_delay;                                         ///< cycles from the overflow to the request
  std::vector<std::pair<const char*, std::uint64_t>> enables;  ///< written after the presets
  bool freezes = false;  ///< counters freeze from the overflow to the end of the handler
};
// PerfEvtSel0: retired instructions (C0h), every level, INT; PerfEvtSel1: clocks not in HLT (76h). LVTPC: NMI.
// The local APIC sees a request one clock after the overflow.
const Setup athlon{"athlon",
                   "i386-quicksort-O2",
                   "PerfCtr0",
                   1,
                   {{"LVTPC", 0x400}, {"PerfEvtSel0", 0x5300c0}, {"PerfEvtSel1", 0x430076}}};
// PMC1 code 2 (instructions completed) with PMC1INTCONTROL and ENINT; PMC2 code 1 (cycles).
const Setup ppc750{"ppc750gx", "ppc-quicksort-O2", "PMC1", 0, {{"MMCR0", 0x04008081}}};

// PMC4: retired instructions (08h), levels 0 and 3, oi, enable; PMC5: cycles (12h); data side of both EARs and branch
// buffer enabled. PMV: not masked. PMC0: no freeze.
const Setup itanium2{
    "itanium2",
    "ia64-quicksort-O2",
    "PMD4",
    0,
    {{"PMV", 0xee}, {"PMC4", 0x800829}, {"PMC5", 0x1209}, {"PMC11", 9}, {"PMC12", 0x3f09}, {"PMC0", 0}},
    true};

// The same on twelve counters without an enable bit; the branch buffer and the data EAR have other numbers.
const Setup montecito{
    "montecito",
    "ia64-quicksort-O2",
    "PMD4",
    0,
    {{"PMV", 0xee}, {"PMC4", 0x2000829}, {"PMC5", 0x2001209}, {"PMC40", 0x2000009}, {"PMC39", 0x3f09}},
    true};

struct Outcome {
  SessionResult result;
  std::vector<Sample> samples;
  std::vector<Sample> called;  ///< on SystemC: from the same PMU without a module
  std::vector<Cycle> retired;  ///< cycle of each retired instruction, from the observer
  ActivityLog log;
};

Outcome run(const Setup& setup, SessionOptions options, std::uint64_t period, const ActivityLog* replay = nullptr) {
  const models::Target& target = *models::find_target(setup.target);
  const models::Parameters parameters = target.parameters();
  Outcome run;
  Sampler sampler(target, parameters, {{setup.sampled, period}}, [&](const Sample& s) { run.samples.push_back(s); });
  MonitorSetup programmed{sampler.presets(), std::ref(sampler)};
  for (const auto& [name, value] : setup.enables) programmed.writes.push_back({id_of(target, name), value});
  options.region.end = instructions;
  Session session(target, parameters, options);
  session.add_monitor(programmed);
  Sampler other(target, parameters, {{setup.sampled, period}}, [&](const Sample& s) { run.called.push_back(s); });
  if (options.engine == Engine::blocks) {
    MonitorSetup called = programmed;
    called.handler = std::ref(other);
    called.called = true;
    session.add_monitor(called);
  }
  session.add_observer([&](const Block& block) {
    for (const auto& o : block.column(Signal::retire)) {
      for (unsigned i = 0; i < o.amount; ++i) run.retired.push_back(block.begin + o.at);
    }
    run.log.append(block);
  });
  if (replay != nullptr) {
    LogSource source(*replay);
    run.result = session.run(source);
  } else {
    run.result = session.run(trace_of(setup.trace));
  }
  return run;
}

void expect_same(const Outcome& a, const Outcome& b, const std::string& what) {
  EXPECT_EQ(a.result.end_cycle, b.result.end_cycle) << what;
  EXPECT_EQ(a.result.instructions, b.result.instructions) << what;
  ASSERT_EQ(a.samples.size(), b.samples.size()) << what;
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    EXPECT_EQ(a.samples[i].cycle, b.samples[i].cycle) << what << ", sample " << i;
    EXPECT_EQ(a.samples[i].ip, b.samples[i].ip) << what << ", sample " << i;
    EXPECT_EQ(a.samples[i].latched, b.samples[i].latched) << what << ", sample " << i;
  }
  for (const RegisterReading& reading : a.result.monitors[0].registers) {
    EXPECT_EQ(reading.value, b.result.monitors[0].value(reading.info.name)) << what << ", " << reading.info.name;
  }
}

SessionOptions direct(Cycle block_cycles = 8192) {
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = block_cycles;
  return options;
}

class Sessions : public ::testing::TestWithParam<Setup> {};

// Progress is reported after each block, for the counted part only: the warm-up is not included.
TEST_P(Sessions, TellTheirProgress) {
  const models::Target& target = *models::find_target(GetParam().target);
  SessionOptions options = direct(1000);
  options.warmup = 100;
  options.region.end = instructions;
  Session session(target, target.parameters(), options);
  session.add_monitor({});
  std::vector<std::uint64_t> told;
  std::size_t blocks = 0;
  session.on_progress([&](std::uint64_t now) { told.push_back(now); });
  session.add_observer([&](const Block&) { ++blocks; });
  const SessionResult result = session.run(trace_of(GetParam().trace));
  EXPECT_EQ(told.size(), blocks);
  EXPECT_GT(told.size(), 2u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LT(told.front(), result.instructions);
  EXPECT_EQ(told.back(), result.instructions);
}

// The n-th overflow occurs in the cycle in which instruction n * period retires: between overflows only instructions
// that retire while the monitor is frozen are lost.
TEST_P(Sessions, SampleEveryPeriodExactly) {
  const std::uint64_t period = 250;
  const Outcome got = run(GetParam(), direct(), period);
  ASSERT_GT(got.samples.size(), 15u);
  std::size_t next = 0, since = 0;  // instructions that retire with the overflow count for the next sample
  for (std::size_t i = 0; i < got.samples.size(); ++i) {
    const std::size_t overflow = next + period - since - 1;
    ASSERT_LT(overflow, got.retired.size());
    EXPECT_EQ(got.samples[i].requested, got.retired[overflow] + GetParam().request_delay) << "sample " << i;
    EXPECT_GT(got.samples[i].cycle, got.samples[i].requested);
    next = overflow + 1;
    if (!GetParam().freezes) continue;
    for (since = 0; got.retired[next] == got.retired[overflow]; ++next) ++since;
    while (next < got.retired.size() && got.retired[next] < got.samples[i].cycle) ++next;
  }
  EXPECT_EQ(got.result.monitors[0].interrupts, got.samples.size());
}

TEST_P(Sessions, DoNotDependOnTheLengthOfBlocks) {
  const Outcome reference = run(GetParam(), direct(), 97);
  EXPECT_GT(reference.samples.size(), 20u);
  for (const Cycle cycles : {1, 7, 1000})
    expect_same(reference, run(GetParam(), direct(cycles), 97), std::to_string(cycles));
}

TEST_P(Sessions, ReplayWhatWasRecorded) {
  const Outcome reference = run(GetParam(), direct(), 100);
  const Outcome replayed = run(GetParam(), direct(), 100, &reference.log);
  expect_same(reference, replayed, "replay");
  EXPECT_EQ(reference.log.cycles(), reference.result.end_cycle - reference.result.first_cycle);
}

TEST_P(Sessions, PerturbingCostsTimeAndKeepsTheProgram) {
  SessionOptions options = direct();
  const Outcome observed = run(GetParam(), options, 500);
  options.perturb = true;
  const Outcome perturbed = run(GetParam(), options, 500);
  EXPECT_GT(perturbed.samples.size(), 3u);
  // 100 handler instructions per sample take at least 25 cycles.
  EXPECT_GT(perturbed.result.end_cycle, observed.result.end_cycle + 25 * perturbed.samples.size());
  options.block_cycles = 13;
  expect_same(perturbed, run(GetParam(), options, 500), "perturbing, blocks of 13");
}

INSTANTIATE_TEST_SUITE_P(Targets, Sessions, ::testing::Values(athlon, ppc750, itanium2, montecito),
                         [](const auto& info) { return std::string(info.param.target); });

/// How often a one-bit wire rises in a waveform.
std::size_t rises(const std::filesystem::path& waveform, const std::string& wire) {
  std::ifstream in(waveform);
  std::string code;
  std::size_t times = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word, kind, width, id, name;
    words >> word >> kind >> width >> id >> name;
    if (word == "$var" && name == wire) code = id;
    times += !code.empty() && line == "1" + code ? 1 : 0;
  }
  return times;
}

TEST(Session, KeepsTheSameNumbersOnSystemC) {
  const Scratch scratch;
  SessionOptions options;
  options.block_cycles = 777;
  options.vcd = scratch / "wires.vcd";
  const Outcome reference = run(athlon, direct(), 97);
  Outcome both = run(athlon, options, 97);
  expect_same(reference, both, "SystemC");
  EXPECT_EQ(rises(options.vcd, "interrupt"), reference.samples.size());
  both.samples = both.called;
  std::swap(both.result.monitors[0], both.result.monitors.at(1));
  EXPECT_EQ(both.result.monitors[0].interrupts, reference.samples.size());
  expect_same(reference, both, "called beside a module");
  EXPECT_THROW(run(athlon, options, 97), std::logic_error) << "a second simulation in a process";
}

TEST(Session, RefusesWhatExcludesEachOther) {
  const models::Target& target = *models::find_target("athlon");
  SessionOptions waveform;
  waveform.vcd = "x.vcd";
  waveform.engine = Engine::direct;
  EXPECT_THROW(Session(target, target.parameters(), waveform), std::invalid_argument);
  SessionOptions empty;
  empty.region = {5, 5};
  EXPECT_THROW(Session(target, target.parameters(), empty), std::invalid_argument);
  SessionOptions no_cycles;
  no_cycles.block_cycles = 0;
  EXPECT_THROW(Session(target, target.parameters(), no_cycles), std::invalid_argument);
  SessionOptions perturb = direct();
  perturb.perturb = true;
  Session two(target, target.parameters(), perturb);
  two.add_monitor({});
  two.add_monitor({});
  EXPECT_THROW(two.run(trace_of("i386-matmul-int")), std::invalid_argument);
}

TEST(Session, NamesTheRegisterThatRefusesAWrite) {
  const models::Target& target = *models::find_target("ppc750gx");
  Session session(target, target.parameters(), direct());
  session.add_monitor({{{id_of(target, "UMMCR0"), 1}}, {}});
  EXPECT_THAT([&] { session.run(trace_of("ppc-matmul-int")); },
              testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("UMMCR0")));
}

TEST(Sampler, RefusesPeriodsPastTheLimit) {
  const models::Target& target = *models::find_target("ppc750gx");
  const auto make = [&](std::uint64_t period) { return Sampler(target, target.parameters(), {{"PMC1", period}}, {}); };
  EXPECT_THROW(make(0), std::invalid_argument);
  EXPECT_EQ(make(1).presets().at(0).value, 0x7fffffffu);
  EXPECT_EQ(make(0x80000000u).presets().at(0).value, 0u);
  EXPECT_THROW(make(0x80000001u), std::invalid_argument);
  EXPECT_THROW(Sampler(target, target.parameters(), {{"PMC5", 10}}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace pmusim::testbench
