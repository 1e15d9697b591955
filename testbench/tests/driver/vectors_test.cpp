// The literal vectors of the manuals on SystemC modules, in blocks and clock by clock over signals. Each run is in a
// separate process, because SystemC allows one simulation per process. (Without SystemC: tests/pmu_athlon,
// tests/pmu_ppc750gx.)
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "testbench/driver/activity_source.h"
#include "testbench/driver/session.h"
#include "testbench/tests/monitors/athlon_vectors.h"
#include "testbench/tests/monitors/hand_made.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;
using activity::State;
using Writes = std::vector<std::pair<const char*, std::uint64_t>>;

std::uint64_t in_own_process(const std::function<std::uint64_t()>& run) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint64_t value = run();
    ::_exit(::write(ends[1], &value, sizeof value) == sizeof value ? 0 : 1);
  }
  ::close(ends[1]);
  std::uint64_t value = ~std::uint64_t{0};
  EXPECT_EQ(::read(ends[0], &value, sizeof value), static_cast<ssize_t>(sizeof value));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return value;
}

/// The value of a counter after the block.
std::uint64_t counted(Engine engine, const char* name, const Writes& writes, const char* counter, const Block& block) {
  const models::Target& target = *models::find_target(name);
  const auto monitor = target.make_monitor(target.parameters());
  MonitorSetup setup;
  for (const auto& [reg, value] : writes) setup.writes.push_back({find_register(*monitor, reg).value().id, value});
  SessionOptions options;
  options.engine = engine;
  Session session(target, target.parameters(), options);
  session.add_monitor(setup);
  ActivityLog log;
  log.append(block);
  LogSource source(log);
  return session.run(source).monitors[0].value(counter);
}

class Vectors : public ::testing::TestWithParam<Engine> {};

TEST_P(Vectors, OfTheAthlonsCounters) {
  for (const pmusim::testing::AthlonVector& v : pmusim::testing::athlon_vectors) {
    const std::uint64_t select = 0x410080u | (v.cpl.empty() ? 1u << 17 : 0) | (v.edge ? 1u << 18 : 0) |
                                 (v.inverted ? 1u << 23 : 0) | v.mask << 24;
    std::uint64_t sum = 0;
    for (std::size_t clocks = 1; clocks <= v.n.size(); ++clocks) {
      pmusim::testing::HandMade activity(clocks);
      for (std::size_t at = 0; at < clocks; ++at) {
        for (unsigned i = 0; i < v.n[at]; ++i) activity.occur(Signal::fetch, at);
        if (at == 0 && !v.cpl.empty()) activity.state(State::cpl, v.cpl[0]);
        if (at != 0 && !v.cpl.empty()) activity.change(State::cpl, at, v.cpl[at]);
      }
      sum += v.adds[clocks - 1];
      EXPECT_EQ(in_own_process([&] {
                  return counted(GetParam(), "athlon", {{"PerfEvtSel0", select}}, "PerfCtr0", activity.block());
                }),
                sum)
          << std::hex << select << ", " << clocks << " clocks";
    }
  }
}

// User's Manual, MMCR0[0:4]: which of supervisor unmarked, supervisor marked, user unmarked and user marked are
// counted; they last 1, 2, 4 and 8 cycles.
TEST_P(Vectors, OfThe750sFreezeBits) {
  constexpr std::uint64_t pr = 0x4000, pm = 4;
  constexpr std::uint64_t dis = 0x80000000, dp = 0x40000000, du = 0x20000000, dms = 0x10000000, dmr = 0x08000000;
  constexpr unsigned su = 1, sm = 2, uu = 4, um = 8;
  pmusim::testing::HandMade activity(su + sm + uu + um);
  activity.change(State::msr, 1, pm).change(State::msr, 3, pr).change(State::msr, 7, pr | pm);
  const std::pair<std::uint64_t, unsigned> rows[] = {
      {0, su + sm + uu + um}, {du, su + sm},  {dp, uu + um},  {dmr, sm + um}, {dms, su + uu}, {dp | dmr, um},
      {dp | dms, uu},         {du | dmr, sm}, {du | dms, su}, {dp | du, 0},   {dms | dmr, 0}, {dis, 0}};
  for (const auto& [bits, cycles] : rows) {
    EXPECT_EQ(in_own_process([&, b = bits] {
                return counted(GetParam(), "ppc750gx", {{"MMCR0", b | 1u << 6}}, "PMC1", activity.block());
              }),
              cycles)
        << std::hex << bits;
  }
}

// PMC1 cycles and PMC2 instructions completed, user only: 0x40000042. PMC3 data misses and PMC4 castouts: 0x29400000.
TEST_P(Vectors, OfThe750sWorkedWords) {
  namespace d = activity::detail;
  pmusim::testing::HandMade activity(10);
  activity.state(State::msr, 0x4000).change(State::msr, 6, 0);
  activity.retire(2).retire(2).retire(5).retire(7);
  activity.occur(Signal::dcache_lookup, 3, d::side_data | d::access_load | d::lookup_miss);
  activity.occur(Signal::line_evict, 4, d::cache_l2 | 4 << d::evict_state_shift | d::evict_replacement);
  const std::tuple<const char*, std::uint64_t, const char*, std::uint64_t> rows[] = {{"MMCR0", 0x40000042, "PMC1", 6},
                                                                                     {"MMCR0", 0x40000042, "PMC2", 3},
                                                                                     {"MMCR1", 0x29400000, "PMC3", 1},
                                                                                     {"MMCR1", 0x29400000, "PMC4", 1}};
  for (const auto& [reg, value, counter, expected] : rows) {
    const auto run = [&, reg = reg, value = value, counter = counter] {
      return counted(GetParam(), "ppc750gx", {{reg, value}}, counter, activity.block());
    };
    EXPECT_EQ(in_own_process(run), expected) << counter;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Vectors, ::testing::Values(Engine::blocks, Engine::signals),
                         [](const auto& info) { return info.param == Engine::blocks ? "blocks" : "signals"; });

}  // namespace
}  // namespace pmusim::testbench
