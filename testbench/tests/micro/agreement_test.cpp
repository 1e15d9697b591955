// Oracle and PMU model must produce equal counts: every event on every micro-trace, plain, filtered and compared, under
// every value of every PMU parameter.
#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace pmusim::micro
