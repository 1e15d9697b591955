// Properties of any trace: counts do not depend on block cuts; the identities of the PMU's events hold for the signals;
// the data cache equals an independent LRU model when nothing disturbs it.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "pmusim/trace/x86.h"
#include "testbench/tests/core_parts/recorded.h"
#include "trace_log.h"

namespace pmusim::testbench {
namespace {

namespace d = activity::detail;
namespace fs = std::filesystem;

/// A mixture of everything, with loops so that wrong paths are known.
std::string mixture() {
  std::string text = "! pin intr level=1 cycles=3000\n! memory addr=a000 size=4096 type=wc\n";
  for (unsigned i = 0; i < 40; ++i) {
    text += fmt::format("1000 8b03 L {:x} 4\n1002 8903 S {:x} 4\n", 0x8000 + i * 0x1000, 0x48000 + i * 0x8004);
    text += fmt::format("1004 01c0\n1006 7402{}\n", i % 3 == 0 ? " T 100a" : "");
    if (i % 3 != 0) text += "1008 d8c1\n";
    text += fmt::format("100a e8f1000000 S 7ffc 4 T 1100\n1100 8903 S {:x} 2\n1102 c3 L 7ffc 4 T 100f\n",
                        i % 5 == 4 ? 0x1104 : 0xa000 + i * 4);
    if (i % 7 == 3) text += "! snoop kind=invalidate addr=1000\n";
    if (i % 11 == 5) text += "! interrupt\n9000 fa\n9001 90\n9002 cf T 100f\n";
    if (i % 13 == 2) text += "! halt cycles=77\n";
    text += "100f 0fa2\n";
    text += i + 1 < 40 ? "1011 ebed T 1000\n" : "1011 90\n";
  }
  return text;
}

TEST(Blocks, CutsDoNotMatter) {
  const TraceLog whole = run(mixture(), core::athlon_parameters(), 100000);
  EXPECT_GT(whole.count(Signal::kill), 0u);
  EXPECT_GT(whole.count(Signal::resync), 0u);
  EXPECT_EQ(whole.count(Signal::trap), 4u);
  for (const Cycle cycles : {1u, 7u, 1000u}) {
    EXPECT_TRUE(run(mixture(), core::athlon_parameters(), cycles) == whole) << "blocks of " << cycles;
  }
}

// A dispatched operation starts at most once; an instruction that retires has started once and finished once, in this
// order.
TEST(LifeCycle, IsWhole) {
  const TraceLog log = run(mixture(), core::athlon_parameters(), 1000);
  struct Life {
    std::vector<Cycle> dispatch, issue, finish, retire;
  };
  std::map<std::uint64_t, Life> lives;
  for (const LoggedOccurrence& h : log.of(Signal::dispatch)) lives[h.instruction.id].dispatch.push_back(h.cycle);
  for (const LoggedOccurrence& h : log.of(Signal::issue)) lives[h.instruction.id].issue.push_back(h.cycle);
  for (const LoggedOccurrence& h : log.of(Signal::finish)) lives[h.instruction.id].finish.push_back(h.cycle);
  for (const LoggedOccurrence& h : log.of(Signal::retire)) lives[h.instruction.id].retire.push_back(h.cycle);
  std::size_t retired = 0;
  for (const auto& [id, life] : lives) {
    ASSERT_LE(life.issue.size(), life.dispatch.size()) << id;
    ASSERT_LE(life.finish.size(), life.issue.size()) << id;
    if (life.retire.empty()) continue;
    ++retired;
    ASSERT_FALSE(life.finish.empty()) << id;  // more than one entry: it was killed and executed again
    EXPECT_LT(life.dispatch.back(), life.issue.back()) << id;
    EXPECT_LE(life.issue.back(), life.finish.back()) << id;
    EXPECT_LT(life.finish.back(), life.retire.back()) << id;
  }
  EXPECT_GT(retired, 200u);
}

TEST(Blocks, CutsDoNotMatterForRecordedPrograms) {
  for (const auto& file : recorded_traces("i386-")) {
    if (fs::file_size(file) > 20000) continue;
    const auto from = [&](Cycle cycles) {
      return run(*core::make_athlon(trace::open(file), core::athlon_parameters()), cycles);
    };
    const TraceLog whole = from(100000);
    for (const Cycle cycles : {7u, 1000u}) EXPECT_TRUE(from(cycles) == whole) << file << ", blocks of " << cycles;
  }
}

TEST(Blocks, RunInstructionsStopsBehindTheCycleOfTheLast) {
  auto core = core_of(Script().add(30, "90"), plain());
  activity::Block block;
  block.restart(0);
  EXPECT_TRUE(core->run_instructions(4, block));
  EXPECT_EQ(core->retired(), 6u);  // three a clock, and no cycle is split
  EXPECT_EQ(core->now(), 11u);
  TraceLog log;
  log.append(block);
  TraceLog rest = run(*core_of(Script().add(30, "90"), plain()));
  while (true) {
    block.restart(core->now());
    const bool more = core->run_instructions(1, block);
    log.append(block);
    if (!more) break;
  }
  log.finish(core->retired());
  EXPECT_TRUE(log == rest);
}

struct Sums {
  std::array<std::uint64_t, activity::signal_count> amount{};
  std::uint64_t probes = 0, misses = 0, data_fills = 0, code_fills = 0, windows = 0, window_misses = 0;
  std::uint64_t branches = 0, mispredicted = 0, taken = 0, mispredicted_taken = 0, returns = 0,
                returns_mispredicted = 0;
  std::uint64_t far = 0, data_translations = 0;
};

Sums sum_of(core::Core& core, const std::function<void(const activity::Block&)>& each = {}) {
  Sums s;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + 50000, block);
    if (each) each(block);
    for (std::size_t i = 0; i < activity::signal_count; ++i) {
      for (const auto& o : block.columns[i]) s.amount[i] += o.amount;
    }
    for (const auto& o : block.column(Signal::dcache_lookup)) {
      ++s.probes;
      s.misses += (o.detail & d::lookup_miss) != 0 ? 1 : 0;
    }
    for (const auto& o : block.column(Signal::line_fill))
      ((o.detail & d::side_data) != 0 ? s.data_fills : s.code_fills)++;
    for (const auto& o : block.column(Signal::fetch)) {
      ++s.windows;
      s.window_misses += (o.detail & d::lookup_miss) != 0 ? 1 : 0;
    }
    for (const auto& o : block.column(Signal::translation)) s.data_translations += o.detail & d::side_data;
    for (const auto& o : block.column(Signal::retire)) {
      const auto& r = block.instructions[o.ref];
      const bool far = r.has(activity::Trait::far_transfer);
      if (!r.has(activity::Trait::branch) && !far) continue;
      ++s.branches;
      s.far += far ? 1 : 0;
      s.taken += r.taken ? 1 : 0;
      s.mispredicted += r.mispredicted ? 1 : 0;
      s.mispredicted_taken += r.taken && r.mispredicted ? 1 : 0;
      s.returns += r.has(activity::Trait::near_return) ? 1 : 0;
      s.returns_mispredicted += r.has(activity::Trait::near_return) && r.mispredicted ? 1 : 0;
    }
    // States: pending only counts with IF=0; hold causes need something to dispatch.
    const auto& empty = block.state(State::decoder_empty);
    const auto hold_free = [&](Cycle at, std::uint64_t value) {
      if (value != 0) {
        EXPECT_EQ(block.state_at(State::dispatch_hold, at), 0u) << "cycle " << at;
      }
    };
    hold_free(block.begin, empty.initial);
    for (const auto& change : empty.changes) hold_free(block.begin + change.at, change.value);
  }
  return s;
}

TEST(Identities, HoldForEveryRecordedProgram) {
  const auto files = recorded_traces("i386-");
  ASSERT_FALSE(files.empty());
  for (const auto& file : files) {
    SCOPED_TRACE(file.string());
    models::Parameters parameters = core::athlon_parameters();
    parameters.set("core.instruction_prefetch", 0);
    auto core = core::make_athlon(trace::open(file), parameters);
    const Sums s = sum_of(*core);
    const auto amount = [&](Signal signal) { return s.amount[static_cast<std::size_t>(signal)]; };
    EXPECT_EQ(s.data_fills, s.misses);                // 42h/1Fh = 41h
    EXPECT_EQ(s.code_fills, s.window_misses);         // 82h + 83h = 81h without prefetch
    EXPECT_LE(s.misses, s.probes);                    // 41h <= 40h
    EXPECT_LE(s.window_misses, s.windows);            // 81h <= 80h
    EXPECT_LE(s.mispredicted, s.branches);            // C3h <= C2h
    EXPECT_LE(s.mispredicted_taken, s.mispredicted);  // C5h <= C3h
    EXPECT_LE(s.mispredicted_taken, s.taken);         // C5h <= C4h <= C2h
    EXPECT_LE(s.taken, s.branches);
    EXPECT_LE(s.far, s.taken);                     // C6h <= C4h
    EXPECT_LE(s.returns_mispredicted, s.returns);  // C9h <= C8h
    EXPECT_LE(s.data_translations, s.probes);      // 45h + 46h <= 40h
    EXPECT_LE(amount(Signal::operation_retire), 3 * core->now());
    EXPECT_EQ(amount(Signal::retire), core->retired());
    EXPECT_EQ(amount(Signal::dispatch), amount(Signal::retire) + amount(Signal::kill));
  }
}

/// 64 KB, two ways, 64-byte lines, least recently used: a list of two for each set, independent of the core's cache.
class ReferenceCache {
 public:
  bool miss(std::uint64_t address) {
    auto& set = sets_[address / 64 % 512];
    const std::uint64_t line = address / 64;
    const auto at = std::find(set.begin(), set.end(), line);
    const bool absent = at == set.end();
    if (!absent) set.erase(at);
    set.insert(set.begin(), line);
    if (set.size() > 2) set.pop_back();
    return absent;
  }

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> sets_;
};

TEST(DataCacheOfPrograms, ProbesInProgramOrderAndMissesAsAnIndependentLruModel) {
  for (const auto& file : recorded_traces("i386-")) {
    if (file.filename() == "i386-selfmod.pmt") continue;  // its code takes lines from the data cache
    SCOPED_TRACE(file.string());
    // Runs the trace itself, probe by probe.
    std::uint64_t probes = 0, misses = 0;
    ReferenceCache cache;
    const auto reader = trace::open(file);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      for (const trace::Access& a : item.instruction.accesses) {
        ++probes;
        misses += cache.miss(a.address) ? 1 : 0;
        if (a.address % 8 + a.size <= 8) continue;
        ++probes;
        misses += cache.miss(a.address / 8 * 8 + 8) ? 1 : 0;
      }
    }
    models::Parameters parameters = core::athlon_parameters();
    parameters.set("core.wrong_path", 0);
    parameters.set("core.instruction_prefetch", 0);
    const Sums s = sum_of(*core::make_athlon(trace::open(file), parameters));
    EXPECT_EQ(s.probes, probes);
    EXPECT_EQ(s.misses, misses);
  }
}

}  // namespace
}  // namespace pmusim::testbench
