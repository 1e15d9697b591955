// Every event of the Athlon with counter masks below and above the maximum per clock. The numbers of clocks with at
// least 1, 2, 3, ... occurrences must add up to the number of occurrences, and every running clock has either at least
// as many occurrences as the mask or fewer.
#include <gtest/gtest.h>

#include <iostream>

#include "run.h"

namespace pmusim::micro {
namespace {

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
    // coverage_test.cpp lists the events that cannot occur; a breakpoint needs an address.
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

}  // namespace
}  // namespace pmusim::micro
