// How a counter counts an event: privilege, threshold, invert, edge, halts. The vectors are those of the counting rule
// (AMD Athlon Processor x86 Code Optimization Guide, pp. 163-164).
#include <gtest/gtest.h>

#include <numeric>

#include "machine.h"
#include "testbench/tests/monitors/athlon_vectors.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT
namespace msr = activity::msr;

constexpr const char* event = "STORES_TO_ACTIVE_INSTRUCTION_STREAM";  // any event with an amount
using Sequence = std::vector<unsigned>;
using pmusim::testing::AthlonVector;

Request compare(std::uint32_t threshold, bool invert, bool edge) {
  Request r;
  r.event = event;
  r.threshold = threshold;
  r.invert = invert;
  r.edge = edge;
  return r;
}
/// Occurrences n[i] in cycle i, at privilege level cpl[i] (3 throughout if empty).
Script sequence(const Sequence& n, const std::vector<unsigned>& cpl = {}) {
  Script script(n.size());
  script.state(State::cpl, 0, cpl.empty() ? 3 : cpl[0]);
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (n[i] != 0) script.happen(Signal::code_store, i, 0, static_cast<std::uint16_t>(n[i]));
    if (i > 0 && !cpl.empty() && cpl[i] != cpl[i - 1]) script.state(State::cpl, i, cpl[i]);
  }
  return script;
}
/// The amount added in each cycle, with one tally per cycle.
std::vector<std::uint64_t> increments(const Request& request, const Script& script,
                                      const ParameterLookup& parameters = Values()) {
  const auto counter = make_counter("athlon", {request}, parameters);
  std::vector<std::uint64_t> added;
  std::uint64_t before = 0;
  for (Cycle at = 0; at < script.block.end; ++at) {
    counter->consume(script.block, at, at + 1);
    added.push_back(counter->tally(0).expected - before);
    before = counter->tally(0).expected;
  }
  return added;
}

TEST(Counting, VectorsOfTheRule) {
  std::vector<AthlonVector> vectors(std::begin(pmusim::testing::athlon_vectors),
                                    std::end(pmusim::testing::athlon_vectors));
  // Thresholds one step on each side of n.
  for (const AthlonVector& more : {AthlonVector{{3, 3}, 3, false, false, {1, 1}},
                                   {{3, 3}, 3, true, false, {0, 0}},
                                   {{3, 3}, 4, true, false, {1, 1}}})
    vectors.push_back(more);
  for (const AthlonVector& v : vectors) {
    SCOPED_TRACE(&v - vectors.data());
    Request request = compare(v.mask, v.inverted, v.edge);
    request.kernel = v.cpl.empty();
    const Script script = sequence(v.n, v.cpl);
    EXPECT_EQ(increments(request, script), std::vector<std::uint64_t>(v.adds.begin(), v.adds.end()));
    const Tally tally = count("athlon", request, script.block);
    EXPECT_EQ(tally.expected, std::accumulate(v.adds.begin(), v.adds.end(), 0u));
    EXPECT_EQ(tally.occurrences, std::accumulate(v.n.begin(), v.n.end(), 0u)) << "unfiltered";
  }
}

TEST(Counting, LevelsOneAndTwoBelongToTheUser) {
  const Script script = sequence({1, 2, 3, 4}, {0, 1, 2, 3});
  for (const unsigned who : {0u, 1u, 2u, 3u}) {
    Request request = compare(0, false, false);
    request.user = (who & 1) != 0;
    request.kernel = (who & 2) != 0;
    EXPECT_EQ(count("athlon", request, script.block).expected,
              (request.user ? 2u + 3 + 4 : 0) + (request.kernel ? 1u : 0));
  }
}

TEST(Counting, AllRequestsOfAnEventInOnePass) {
  const Script script = sequence({0, 1, 3, 2, 0});
  std::vector<Request> requests;
  for (std::uint32_t threshold = 0; threshold < 5; ++threshold) requests.push_back(compare(threshold, false, false));
  requests.push_back(requests.front());
  const auto counter = make_counter("athlon", requests, Values());
  counter->consume(script.block);
  const std::uint64_t expected[] = {6, 3, 2, 1, 0, 6};  // sum; cycles with n >= 1, 2, 3, 4; sum again
  for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(counter->tally(i).expected, expected[i]) << i;
}

TEST(Counting, EmptyUnitMask) {
  Script script(3);
  script.happen(Signal::segment_load, 1, static_cast<std::uint16_t>(activity::SegmentRegister::fs));
  Request request;
  request.event = "SEGMENT_REGISTER_LOADS";
  EXPECT_EQ(count("athlon", request, script.block).expected, 0u);
  request.umasks = {"ES", "FS"};
  EXPECT_EQ(count("athlon", request, script.block).expected, 1u);
  request.umasks = {"ES", "CS"};
  EXPECT_EQ(count("athlon", request, script.block).expected, 0u);
}

// Halted in cycles 2 to 4 of 8: nothing advances and the edge detector keeps its state.
TEST(Counting, Halt) {
  Script script(8);
  script.state(State::clock, 2, 0);
  script.state(State::clock, 5, 1);
  script.state(State::interrupt_flag, 1, 0);
  script.happen(Signal::code_store, 3);
  Request masked;
  masked.event = "INTERRUPTS_MASKED_CYCLES";
  const Values runs = {{"pmu.count_in_halt", 1}};
  EXPECT_EQ(count("athlon", masked, script.block).expected, 8u - 1 - 3);
  EXPECT_EQ(count("athlon", masked, script.block).occurrences, 8u - 1 - 3);
  EXPECT_EQ(count("athlon", masked, script.block, runs).expected, 8u - 1);
  masked.edge = true;
  EXPECT_EQ(count("athlon", masked, script.block).expected, 1u);
  EXPECT_EQ(count("athlon", compare(1, true, false), script.block).expected, 8u - 3);
  EXPECT_EQ(count("athlon", compare(1, true, false), script.block, runs).expected, 8u - 1);
  EXPECT_EQ(count("athlon", compare(0, false, false), script.block).expected, 0u);
  Request clocks;
  clocks.event = "CPU_CLK_UNHALTED";
  EXPECT_EQ(count("athlon", clocks, script.block, runs).expected, 8u - 3);
}

// Level 3 up to cycle 4, level 0 from cycle 5 on; the instruction that retires in cycle 4 caused the change.
TEST(Counting, RetireGroupPrivilege) {
  Script script(8);
  script.state(State::cpl, 0, 3);
  script.state(State::cpl, 5, 0);
  for (const Cycle at : {3, 4, 5}) script.happen(Signal::retire, at, InstructionRecord{});
  Request user;
  user.event = "RETIRED_INSTRUCTIONS";
  user.kernel = false;
  Request kernel = user;
  std::swap(kernel.user, kernel.kernel);
  EXPECT_EQ(count("athlon", user, script.block).expected, 2u);
  EXPECT_EQ(count("athlon", kernel, script.block).expected, 1u);
}

// Every combination of problem state and marked process, one cycle each.
TEST(Counting, MachineStateRegister) {
  Script script(4);
  script.state(State::msr, 0, 0);
  script.state(State::msr, 1, msr::pr);
  script.state(State::msr, 2, msr::pm);
  script.state(State::msr, 3, msr::pr | msr::pm);
  const std::uint16_t amount[] = {1, 2, 4, 8};  // powers of two, so that the sum identifies the cycles
  for (Cycle at = 0; at < 4; ++at) script.happen(Signal::snoop, at, 0, amount[at]);
  const auto counted = [&](bool user, bool kernel, std::optional<bool> marked) {
    Request request;
    request.event = "SNOOPS";
    request.user = user;
    request.kernel = kernel;
    request.marked = marked;
    return count("ppc750gx", request, script.block).expected;
  };
  EXPECT_EQ(counted(true, true, std::nullopt), 1u + 2 + 4 + 8);
  EXPECT_EQ(counted(true, false, std::nullopt), 2u + 8);
  EXPECT_EQ(counted(false, true, std::nullopt), 1u + 4);
  EXPECT_EQ(counted(false, false, std::nullopt), 0u);
  EXPECT_EQ(counted(true, true, true), 4u + 8);
  EXPECT_EQ(counted(true, true, false), 1u + 2);
  EXPECT_EQ(counted(true, false, true), 8u);
  EXPECT_EQ(counted(true, false, false), 2u);
  EXPECT_EQ(counted(false, true, true), 4u);
  EXPECT_EQ(counted(false, true, false), 1u);
}

TEST(Counting, CrossingsAreTheCyclesOfTheTargets) {
  const auto counter = make_counter("athlon", {compare(0, false, false), compare(2, false, false)}, Values());
  counter->watch(0, 2, 2);
  counter->watch(1, 1, 0);
  const Script script = sequence({0, 1, 3, 2, 0, 1});  // running sums 0 1 4 6 6 7
  counter->consume(script.block);
  EXPECT_EQ(counter->crossings(0), (std::vector<Cycle>{2, 2, 3})) << "2 and 4 in cycle 2, 6 in cycle 3";
  EXPECT_EQ(counter->crossings(1), (std::vector<Cycle>{2}));
}

// A stopped clock clocks no counter of the 750GX and of the Alphas either. What retires in a burst and is not yet added
// waits for the clock.
TEST(Counting, StoppedClock) {
  AlphaMachine machine(8);
  machine.state(State::clock, 2, 0);
  machine.state(State::clock, 5, 1);
  const auto counted = [&](const char* target, const char* event) {
    return count(target, row(event), machine.block).expected;
  };
  EXPECT_EQ(counted("ppc750gx", "PROCESSOR_CYCLES"), 8u - 3);
  EXPECT_EQ(counted("alpha-ev4", "PF_CYCLES"), 8u - 3);
  EXPECT_EQ(counted("alpha-ev5", "PF5_MUX0_CYCLES"), 8u - 3);
  EXPECT_EQ(counted("alpha-ev6", "PF6_MUX1_CYCLES"), 8u - 3);
  for (unsigned i = 0; i < 11; ++i) machine.put(Signal::retire, 1, alpha_insn({}));
  EXPECT_EQ(counted("alpha-ev6", "PF6_MUX0_RET_INSTRUCTIONS"), 8u + 3) << "in cycles 1 and 5";
}

// The 21064 counts issues in halves; an interrupt comes with a whole event.
TEST(Counting, HalvesAreExact) {
  AlphaMachine machine(10);
  for (const Cycle at : {1, 3, 3, 7}) machine.put(Signal::issue, at, {});
  const auto counter = make_counter("alpha-ev4", {row("PF_ISSUES")}, Values());
  counter->watch(0, 1, 1);
  counter->consume(machine.block);
  EXPECT_TRUE(counter->tally(0).expected == 2 && !counter->tally(0).half);
  EXPECT_EQ(counter->crossings(0), (std::vector<Cycle>{3, 7}));
  machine.put(Signal::issue, 9, {});
  const Tally five = count("alpha-ev4", row("PF_ISSUES"), machine.block);
  const Tally rest = count("alpha-ev4", row("PF_NONISSUES"), machine.block);
  EXPECT_TRUE(five.expected == 2 && five.half);
  EXPECT_TRUE(rest.expected == 7 && rest.half) << "10 cycles without 5 halves";
  EXPECT_EQ(interrupts(8191, 4096), 1u);
}

// Eleven instructions retire at once on the 21264A; its counter takes at most eight of them in a cycle.
TEST(Counting, WhatACycleCannotTakeIsCarried) {
  AlphaMachine machine(10);
  for (unsigned i = 0; i < 11; ++i) machine.put(Signal::retire, 4, {});
  const auto counter = make_counter("alpha-ev67", {row("RETINST")}, Values());
  counter->watch(0, 8, 3);
  counter->consume(machine.block);
  EXPECT_EQ(counter->tally(0).expected, 11u);
  EXPECT_EQ(counter->crossings(0), (std::vector<Cycle>{4, 5}));
}

TEST(Counting, CrossingsOfALevel) {
  Script script(1000, 5000);
  Request cycles;
  cycles.event = "CPU_CLK_UNHALTED";
  const auto counter = make_counter("athlon", {cycles}, Values());
  counter->watch(0, 100, 300);
  counter->consume(script.block);
  EXPECT_EQ(counter->crossings(0), (std::vector<Cycle>{5099, 5399, 5699, 5999}));
  EXPECT_EQ(counter->tally(0).expected, 1000u);
}

TEST(Counting, MoreCrossingsThanAreKeptAreRefused) {
  Request cycles;
  cycles.event = "CPU_CLK_UNHALTED";
  const auto consume = [&](activity::Cycle idle) {
    Script script(1000, 5000);
    script.block.end = script.block.begin + idle;
    const auto counter = make_counter("athlon", {cycles}, Values());
    counter->watch(0, 16, 16);
    counter->consume(script.block);
    return counter->crossings(0).size();
  };
  constexpr activity::Cycle most = activity::Cycle{16} << 24;
  EXPECT_EQ(consume(most), std::size_t{1} << 24);
  EXPECT_THROW((void)consume(most + 16), std::invalid_argument);
  EXPECT_THROW((void)consume(activity::Cycle{1} << 48), std::invalid_argument) << "at once, whatever it takes";
}

TEST(Counting, RefusesWhatItDoesNotKnow) {
  const auto refused = [](std::string_view target, const Request& request) {
    EXPECT_THROW((void)make_counter(target, {request}, Values()), std::invalid_argument) << request.event;
  };
  Request request;
  request.event = "SNOOPS";
  refused("athlon64", request);
  refused("athlon", request);
  request.edge = true;
  refused("ppc750gx", request);
  request = compare(256, false, false);
  refused("athlon", request);
  request = compare(0, false, false);
  request.umasks = {"ES"};
  refused("athlon", request);
  request.event = "SEGMENT_REGISTER_LOADS";
  request.umasks = {"XS"};
  refused("athlon", request);
  request = compare(0, false, false);
  request.marked = true;
  refused("athlon", request);
  request = Request{};
  request.event = "TBL_BIT_TRANSITIONS";
  request.time_base_bit = 4;
  refused("ppc750gx", request);
  EXPECT_THROW((void)make_counter("athlon", {}, Values()), std::invalid_argument);
  EXPECT_THROW((void)make_counter("athlon", {compare(0, false, false), Request{}}, Values()), std::invalid_argument);
}

// AMD's guide: 57 event codes, 48 without unit masks, and 53 unit masks with their sums. The 750GX manual: codes of
// PMC1 to PMC4 and those that they reserve. pfm(7) and the headers: 9 + 8; 2 + 15 + 14 + 7 + 8, also on the 21164PC; 2
// + 8; 5.
TEST(Counting, EventsAreThoseOfTheDocuments) {
  std::size_t plain = 0, masks = 0, reserved = 0;
  for (const EventName& event : events("athlon")) {
    plain += event.umasks.empty() ? 1 : 0;
    masks += event.umasks.size();
  }
  EXPECT_EQ(plain, 48u);
  EXPECT_EQ(masks, 53u);
  for (const EventName& event : events("ppc750gx")) reserved += event.name.starts_with("PM_RSVD_") ? 1 : 0;
  EXPECT_EQ(reserved, 12u + (1 + 4) + (1 + 1 + 14) + (1 + 1 + 17));
  const std::pair<const char*, std::size_t> rows[] = {{"athlon", 57},      {"alpha-ev4", 17}, {"alpha-ev5", 46},
                                                      {"alpha-pca56", 46}, {"alpha-ev6", 10}, {"alpha-ev67", 5}};
  for (const auto& [target, number] : rows) EXPECT_EQ(events(target).size(), number) << target;
}

// Intel's event list of the Itanium 2 has a name without a definition; the Montecito does not have it.
TEST(Counting, SaysWhatIsNotModelled) {
  const auto answer = [](std::string_view target) -> std::string {
    Request request;
    request.event = "TAGGED_L2_DATA_RETURN_POR";
    try {
      (void)make_counter(target, {request}, Values());
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "counted";
  };
  EXPECT_EQ(answer("itanium2"), "not modelled: no document says what TAGGED_L2_DATA_RETURN_POR counts");
  EXPECT_EQ(answer("montecito"), "no event TAGGED_L2_DATA_RETURN_POR");
}

}  // namespace
}  // namespace pmusim::oracle
