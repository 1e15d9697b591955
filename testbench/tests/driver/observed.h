// Runs PMUs on a core with or without an observer; with one, the core reports everything.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

using Readers = std::vector<std::unique_ptr<trace::Reader>>;
using Writes = std::vector<RegisterWrite>;

/// Returns the results of the PMUs, one for each list of writes. Expects that no access of the program faulted.
inline std::vector<MonitorResult> run_pmus(const models::Target& target, const models::Parameters& parameters,
                                           Readers readers, const std::vector<Writes>& pmus, bool observed) {
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = 100;
  Session session(target, parameters, options);
  for (const Writes& writes : pmus) {
    MonitorSetup setup;
    setup.writes = writes;
    session.add_monitor(std::move(setup));
  }
  if (observed) session.add_observer([](const activity::Block&) {});
  std::vector<MonitorResult> results = session.run(std::move(readers)).monitors;
  for (const MonitorResult& result : results) {
    for (const pmu::AccessReport& access : result.accesses) EXPECT_EQ(access.fault, pmu::Fault::none);
  }
  return results;
}

}  // namespace pmusim::testbench
