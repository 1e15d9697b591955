// Properties of any pair of traces: block cuts do not matter, nothing is lost, every cause is reached.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bench.h"
#include "testbench/tests/core_itanium2/mixture.h"
#include "testbench/tests/core_random/digest.h"

namespace pmusim::testbench::montecito {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;

models::Parameters small(const Changes& changes = {}) {
  const Changes sizes = {{"core.l2_bytes", 8192},  {"core.l2_ways", 4}, {"core.l2i_bytes", 8192}, {"core.l2i_ways", 2},
                         {"core.l3_bytes", 65536}, {"core.l3_ways", 4}, {"core.quantum", 500}};
  return changed(changed(core::montecito_parameters(), sizes), changes);
}
std::string first_text() { return mixture({7, 1200, 0x4000, false, true, true}).text(); }
std::string second_text() {
  Script s = mixture({8, 1200, 0x8000, false, true, true});
  for (unsigned i = 0; i < 4; ++i)
    s.repeat(40, nops).add(bundle(stop(mmi), pause, nop, nop)).repeat(40, nops).say("halt cycles=300");
  return s.add(nops).text();
}
std::vector<std::uint64_t> program_of(const Record& r, unsigned thread) {
  std::vector<std::uint64_t> ids;
  constexpr std::uint64_t special = std::uint64_t{5} << 61;
  for (const Ia64Occurrence& h : r.of(Signal::retire)) {
    if (h.instruction.thread == thread && (h.instruction.id & special) == 0)
      ids.push_back(h.instruction.id & ~(std::uint64_t{1} << 62));
  }
  return ids;
}

TEST(Threads, EachRunsItsTraceInOrder) {
  const Record both = run(*core_with({first_text(), second_text()}, small()));
  EXPECT_GT(both.count(Signal::thread_switch), 20u);
  EXPECT_EQ(program_of(both, 0), program_of(run(*core_with({first_text()}, small())), 0));
  EXPECT_EQ(program_of(both, 1), program_of(run(*core_with({second_text()}, small())), 0));
  // While a thread is active, no instruction of the other thread moves; a request's data returns to its thread.
  for (const Signal s : {Signal::dispatch, Signal::retire, Signal::kill}) {
    for (const Ia64Occurrence& h : both.of(s)) EXPECT_EQ(h.instruction.thread, both.at(State::thread, h.cycle));
  }
  for (const Ia64Occurrence& h : both.of(Signal::load_return)) {
    if (h.half.owner != activity::no_ref) {
      EXPECT_EQ(h.request.thread, h.instruction.thread);
    }
  }
  EXPECT_EQ(both.count(Signal::retire), program_of(both, 0).size() + program_of(both, 1).size());
}

TEST(Threads, TheBooksOfSwitchingBalance) {
  const Record r = run(*core_with({first_text(), second_text()}, small()));
  // The active thread changes with each switch, in the next cycle.
  std::vector<Cycle> changed;
  for (const auto& [cycle, value] : r.changes(State::thread)) changed.push_back(cycle);
  ASSERT_EQ(changed.size(), switches(r).size() + 1);
  for (std::size_t i = 0; i < switches(r).size(); ++i) EXPECT_EQ(changed[i + 1], switches(r)[i] + 1);
  // Each switch is due in its own cycle and not in the next.
  for (const Cycle at : switches(r)) {
    EXPECT_NE(r.at(State::switching, at) & act::switching::due, 0u);
    EXPECT_EQ(r.at(State::switching, at + 1) & act::switching::due, 0u);
  }
}

TEST(Parameters, TheOwnOnesMatter) {
  const auto digest = [&](const models::Parameters& p) {
    return digest_of(*core_with({first_text(), second_text()}, p), 10'000'000);
  };
  const std::uint64_t usual = digest(small());
  for (const auto& [name, value] : Changes{{"core.l2i_bytes", 16384},
                                           {"core.l2i_ways", 1},
                                           {"core.switch_cycles", 16},
                                           {"core.quantum", 499},
                                           {"core.switch_on_miss", 0},
                                           {"core.switch_on_return", 0},
                                           {"core.urgency", 0},
                                           {"core.forward_progress", 0},
                                           {"core.shared_prediction", 0},
                                           {"core.second_memory", 0}}) {
    EXPECT_NE(digest(small({{name, value}})), usual) << name;
  }
}

}  // namespace
}  // namespace pmusim::testbench::montecito
