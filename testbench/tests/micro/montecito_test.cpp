// Montecito micro-traces, as the Itanium 2's: montecito_programs.py says what they execute.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {
namespace {

constexpr std::uint64_t last_bundle = 3;

TEST(Montecito, IntegerLoads) {
  TraceRun r("montecito", "integer_loads");
  const std::uint64_t integer = 3, fp = 2, semaphores = 1, lfetches = 1;
  r.expect("LOADS_RETIRED_INTG", integer);
  r.expect("STORES_RETIRED", semaphores);
  r.expect("IA64_INST_RETIRED", 3 * (integer + fp + semaphores + lfetches) + last_bundle);
}

TEST(Montecito, LevelChanges) {
  TraceRun r("montecito", "level_changes");
  const auto at_all_levels = [](const std::string& row) {
    oracle::Request request = ask(row);
    request.ia64.levels = 15;
    return request;
  };
  r.expect(at_all_levels("CPU_CPL_CHANGES_ALL"), 4);
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL0"), 2);  // there and away
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL1"), 2);
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL2"), 0);
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL3"), 4);
}

// One of the pair alone: there is nobody to give the pipe to.
TEST(Montecito, ThreadsAlone) {
  const std::uint64_t bundles_0 = 8 + 1 + 4, bundles_1 = 6;
  TraceRun first("montecito", "pair_0"), second("montecito", "pair_1");
  first.expect("IA64_INST_RETIRED", 3 * bundles_0);
  first.expect("NOPS_RETIRED", 2);
  first.expect("THREAD_SWITCH_EVENTS_ALL", 0);
  second.expect("IA64_INST_RETIRED", 3 * bundles_1);
}

}  // namespace
}  // namespace pmusim::micro
