// Breaks each rule of the oracle in turn: the micro-traces must detect it.
#include <gtest/gtest.h>

#include <iostream>

#include "run.h"

namespace pmusim::micro {
namespace {

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
