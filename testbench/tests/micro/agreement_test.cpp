// Oracle and PMU model must produce equal counts: every event on every micro-trace, plain, filtered and compared, under
// every value of every PMU parameter.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "run.h"
#include "testbench/judge/question/event_facts.h"
#include "testbench/tests/sampling.h"

namespace pmusim::micro {

namespace {

std::vector<oracle::Request> requests_for(const std::string& target, const oracle::EventName& event) {
  const std::string name(event.name);
  std::vector<oracle::Request> requests;
  if (event.umasks.empty()) requests.push_back(ask(name));
  for (const auto& umask : event.umasks) requests.push_back(ask(name + ":" + std::string(umask)));
  if (!event.umasks.empty()) requests.push_back(ask(name));
  oracle::Request filtered = requests.front();
  filtered.kernel = false;
  if (target == "athlon") {
    for (unsigned bits = 0; bits < 12; ++bits) {
      oracle::Request compared = bits % 2 == 0 ? requests.front() : filtered;
      compared.threshold = bits / 4;
      compared.invert = (bits & 2u) != 0;
      requests.push_back(compared);
      compared.edge = true;
      requests.push_back(compared);
    }
  } else if (target == "itanium2") {
    const testbench::Filters filters = testbench::event_facts(target, name).filters;
    requests.push_back(filtered);
    oracle::Request changed = requests.front();
    changed.threshold = 1;
    requests.push_back(changed);
    changed = requests.front();
    changed.ia64.instruction_set = oracle::ia64::InstructionSet::ia64;
    requests.push_back(changed);
    changed = requests.front();
    changed.ia64.privileged_monitor = true;
    requests.push_back(changed);
    if (filters.data()) {
      changed = requests.front();
      changed.ia64.data = {{0x6000000000200000, 0x6000000000200080}};
      requests.push_back(changed);
    }
    if (filters.code()) {
      changed = requests.front();
      changed.ia64.code = {{0x4000000000010000, 0x4000000000010080}};
      requests.push_back(changed);
      changed.ia64.code.push_back(changed.ia64.code.front());  // one range for demand fetches, one for prefetches
      changed.ia64.fine_mode = true;
      requests.push_back(changed);
    }
  } else {
    requests.push_back(filtered);
    std::swap(filtered.user, filtered.kernel);
    filtered.marked = false;
    requests.push_back(filtered);
    filtered = ask(name);
    filtered.threshold = name == "L1_LOAD_MISSES" ? 21 : 0;
    filtered.time_base_bit = 1;
    requests.push_back(filtered);
  }
  return requests;
}

void agree(TraceRun& run, const std::string& target, const std::string& where) {
  for (const oracle::EventName& event : oracle::events(target)) {
    for (const oracle::Request& request : requests_for(target, event)) {
      const std::uint64_t expected = run.count_by_oracle(request);
      EXPECT_EQ(run.count_by_model(request), expected)
          << where << " " << request.event << (request.umasks.empty() ? "" : ":" + request.umasks[0])
          << " user=" << request.user << " c=" << request.threshold << " i=" << request.invert << " e=" << request.edge;
    }
  }
}

/// Behaviours that depend on the register values; the oracle knows only the request.
bool by_registers(std::string_view parameter) {
  constexpr std::string_view all[] = {"pmu.event_sets", "pmu.shared_umask", "pmu.no_data_channel", "pmu.ear_mode3",
                                      "pmu.memory_tag"};
  return std::find(std::begin(all), std::end(all), parameter) != std::end(all);
}

class Agreement : public testing::TestWithParam<const char*> {};

TEST_P(Agreement, OnEveryEvent) {
  const std::string target = GetParam();
  if (target == "itanium2") GTEST_SKIP() << "`pmusim validate` asks for more on the same traces, many rows at a time";
  for (const std::string& trace : traces(target)) {
    TraceRun run(target, trace);
    agree(run, target, trace);
  }
}

TEST_P(Agreement, UnderEveryParameter) {
  const std::string target = GetParam();
  const std::vector<std::string> chosen =
      target == "athlon" ? std::vector<std::string>{"transfers", "privilege", "halt_300", "pending_masked", "owned_3"}
      : target == "itanium2" ? std::vector<std::string>{"accesses", "branches", "advanced", "elsewhere"}
                             : std::vector<std::string>{"privilege", "latencies", "loop", "snoops", "idle_1200000"};
  std::size_t tried = 0;
  for (const std::string& trace : chosen) {
    TraceRun run(target, trace);
    for (const models::ParameterInfo& info : run.parameters().infos()) {
      if (!info.name.starts_with("pmu.") || by_registers(info.name)) continue;
      if (tried++ % sampling != 0) continue;
      for (const models::Choice& choice : info.choices) {
        if (choice.value == info.default_value) continue;
        run.set(std::string(info.name), choice.value);
        agree(run, target, trace + " " + std::string(info.name) + "=" + std::string(choice.name));
      }
      run.set(std::string(info.name), info.default_value);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Agreement, testing::Values("ppc750gx", "ppc750gl", "athlon", "itanium2"),
                         [](const auto& info) { return std::string(info.param); });

// Runs last: a micro-trace must have counted every event and unit mask of each target, with a count above zero.

/// Events that no instruction and no external cause can produce.
bool counts_nothing(const std::string& name) {
  return name == "NOTHING" || name.starts_with("PM_RSVD_") || name == "SEGMENT_REGISTER_LOADS:HS" ||
         name == "DATA_CACHE_REFILLS_FROM_SYSTEM:INVALID" || name == "DATA_CACHE_LINES_EVICTED:INVALID";
}

class Coverage : public testing::Environment {
 public:
  void TearDown() override {
    // Only a run that selects no tests covers all events; what it leaves out (PmusimTest.cmake) covers none.
    const std::string filter = testing::GTEST_FLAG(filter);
    if (filter != "*" && !filter.starts_with("-")) return;
    for (const char* target : {"ppc750gx", "athlon", "itanium2"}) {
      const auto& counted = covered(target);
      const auto check = [&](const std::string& name) {
        const auto found = counted.find(name);
        ASSERT_NE(found, counted.end()) << target << ": no micro-trace for " << name;
        if (!counts_nothing(name)) {
          EXPECT_GT(found->second, 0u) << target << ": never occurs: " << name;
        }
      };
      for (const oracle::EventName& event : oracle::events(target)) {
        const std::string name(event.name);
        if (event.umasks.empty()) check(name);
        for (const auto& umask : event.umasks) check(name + ":" + std::string(umask));
      }
    }
  }
};
const auto* const coverage = testing::AddGlobalTestEnvironment(new Coverage);

// Every event of the Athlon with counter masks below and above the maximum per clock. The numbers of clocks with at
// least 1, 2, 3, ... occurrences must add up to the number of occurrences, and every running clock has either at least
// as many occurrences as the mask or fewer.

/// Event and unit mask of every row.
std::vector<std::string> rows() {
  std::vector<std::string> names;
  for (const oracle::EventName& event : oracle::events("athlon")) {
    if (event.umasks.empty()) names.emplace_back(event.name);
    for (const auto& umask : event.umasks) names.push_back(std::string(event.name) + ":" + std::string(umask));
  }
  return names;
}

/// The count with a counter mask, by oracle and model.
std::uint64_t clocks(TraceRun& trace, const std::string& row, std::uint32_t mask, bool invert) {
  oracle::Request request = ask(row);
  request.threshold = mask;
  request.invert = invert;
  const std::uint64_t expected = trace.count_by_oracle(request);
  EXPECT_EQ(trace.count_by_model(request), expected) << row << ", mask " << mask;
  return expected;
}

TEST(Limits, CounterMasksOfEveryEvent) {
  std::vector<TraceRun> all;
  for (const std::string& name : traces("athlon")) all.emplace_back("athlon", name);
  std::size_t checked = 0, several = 0;
  for (const std::string& row : rows()) {
    // Selects a trace with the smallest effort: the first with two occurrences in a clock, otherwise the first with
    // one.
    TraceRun* trace = nullptr;
    for (TraceRun& candidate : all) {
      oracle::Request request = ask(row);
      request.threshold = trace == nullptr ? 1 : 2;
      if (candidate.count_by_oracle(request) == 0) continue;
      trace = &candidate;
      request.threshold = 2;
      if (candidate.count_by_oracle(request) != 0) break;
    }
    // Coverage lists the events that cannot occur; a breakpoint needs an address.
    if (trace == nullptr) {
      const bool never = row == "SEGMENT_REGISTER_LOADS:HS" || row.ends_with(":INVALID");
      EXPECT_TRUE(never || row.starts_with("BREAKPOINT_MATCHES_FOR_DR")) << row;
      continue;
    }
    ++checked;
    const std::uint64_t running = clocks(*trace, "CPU_CLK_UNHALTED", 0, false);
    std::uint64_t sum = 0, before = running;
    std::uint32_t mask = 1;
    for (std::uint64_t reached = 1; reached != 0; ++mask) {
      reached = clocks(*trace, row, mask, false);
      EXPECT_EQ(reached + clocks(*trace, row, mask, true), running) << row << ", mask " << mask;
      EXPECT_LE(reached, before) << row;
      sum += before = reached;
    }
    EXPECT_EQ(sum, clocks(*trace, row, 0, false)) << row;
    EXPECT_EQ(clocks(*trace, row, 255, true), running) << row;
    several += mask > 3 ? 1 : 0;
  }
  std::cout << checked << " rows, " << several << " with two or more in a clock\n";
}

// Breaks each rule of the oracle in turn: the micro-traces must detect it.

/// True if a unit mask of the event, or the event itself, is counted differently.
bool changes(const TraceRun& run, const std::string& target, const oracle::Breakage& breakage) {
  for (const oracle::EventName& event : oracle::events(target)) {
    if (event.name != breakage.event) continue;
    std::vector<oracle::Request> requests;
    if (event.umasks.empty()) requests.push_back(ask(breakage.event));
    for (const auto& umask : event.umasks) requests.push_back(ask(breakage.event + ":" + std::string(umask)));
    if (breakage.event.starts_with("BREAKPOINT_")) {
      requests[0].address = 0x8048001;
      requests.push_back(requests[0]);
      requests[1].address = 0x8100008;
      requests[1].breakpoint = oracle::breakpoint_write | 4u << oracle::breakpoint_length_shift;
    }
    if (breakage.event == "L1_LOAD_MISSES") {
      requests.push_back(requests[0]);
      requests[1].threshold = 63;
    }
    if (breakage.event == "IABR_MATCHES") {
      requests[0].address = 0x10008;
      requests[0].breakpoint = oracle::breakpoint_translation;
    }
    for (const oracle::Request& request : requests) {
      if (run.count_by_oracle(request) != run.count_by_oracle(request, breakage)) return true;
    }
  }
  return false;
}

class Breakages : public testing::TestWithParam<const char*> {};

TEST_P(Breakages, AreSeenByTheMicroTraces) {
  const std::string target = GetParam();
  std::vector<oracle::Breakage> unseen = oracle::breakages(target);
  const std::size_t made = unseen.size();
  for (const std::string& trace : traces(target)) {
    const TraceRun run(target, trace);
    std::erase_if(unseen, [&](const oracle::Breakage& breakage) { return changes(run, target, breakage); });
  }
  std::cout << target << ": " << made - unseen.size() << " of " << made << " broken rules change a count\n";
  for (const oracle::Breakage& breakage : unseen) ADD_FAILURE() << target << ": " << breakage.text();
}

INSTANTIATE_TEST_SUITE_P(Targets, Breakages, testing::Values("ppc750gx", "athlon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace

}  // namespace pmusim::micro
