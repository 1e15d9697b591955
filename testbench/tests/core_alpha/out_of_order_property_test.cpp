// Properties of any trace on the 21264: counts do not depend on block cuts, and every fetched instruction leaves once,
// in program order.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "alpha_log.h"
#include "testbench/tests/core_parts/recorded.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
namespace fs = std::filesystem;

std::vector<fs::path> recorded(std::uintmax_t most_bytes) {
  std::vector<fs::path> found = recorded_traces("alpha-");
  std::erase_if(found, [=](const fs::path& trace) { return fs::file_size(trace) > most_bytes; });
  return found;
}

/// A mixture of everything, in a loop so that wrong paths are known.
std::string mixture() {
  Script s;
  for (unsigned i = 0; i < 40; ++i) {
    const std::string keys = i % 5 == 1 ? "data=mem" : "";
    s.at(0x1000).load(ldq(3, 9), 0x8000 + 0x2000 * (i % 11), 8, keys);
    s.add(mulq(3, 3, 5)).store(stq(5, 9), 0x9000, 8, "").load(ldq(4, 9), i % 3 == 0 ? 0x9000 : 0x9008, 8, "");
    s.add(operate(0x11, 0x24, 4, 3, 6)).add(nop());
    if (i % 3 == 0) {
      s.go(branch(0x39, 4, 1), 0x1020);
    } else {
      s.add(branch(0x39, 4, 1)).add(addt(1, 2, 3), i % 13 == 5 ? "trap=arithmetic" : "");
    }
    s.at(0x1020).store(memory(0x2c, 1, 9), 0xa000, 4, "").load(ldq(3, 9), 0xa000, 8, "");
    if (i % 7 == 3) s.say("pin 0 level=1 cycles=9");
    if (i % 11 == 4) s.say("interrupt").at(0x2000).add(addq(1, 2, 3)).say("return").at(0x1028);
    if (i % 17 == 2) s.say("stop cycles=77");
    s.add(addq(1, 2, 3));
    s.go(branch(0x30, 31, -12), 0x1000);
  }
  return s.at(0x1000).add(nop());
}

TEST(OutOfOrderProperties, CutsDoNotMatter) {
  const AlphaLog whole = ev67(mixture());
  EXPECT_GT(whole.count(Signal::replay_trap), 0u);
  EXPECT_GT(whole.count(Signal::kill), whole.count(Signal::replay_trap));
  EXPECT_GT(whole.count(Signal::pal_entry), 4u);
  for (const Cycle cycles : {1u, 7u, 1000u}) {
    EXPECT_TRUE(run(core::make_alpha_ev67, mixture(), core::alpha_ev67_parameters(), cycles) == whole)
        << "blocks of " << cycles;
  }
}

TEST(OutOfOrderProperties, CutsDoNotMatterForRecordedPrograms) {
  for (const auto& file : recorded(1100)) {
    const auto from = [&](Cycle cycles) {
      return run(*core::make_alpha_ev67(trace::open(file), core::alpha_ev67_parameters()), cycles);
    };
    const AlphaLog whole = from(100000);
    EXPECT_TRUE(from(7) == whole) << file << ", blocks of 7";
  }
}

TEST(OutOfOrderProperties, RunInstructionsStopsBehindTheCycleOfTheLast) {
  trace::ReadOptions options;
  options.isa = trace::Isa::alpha;
  const Script script = Script().add(30, addq(1, 2, 3));
  auto core = core::make_alpha_ev67(trace::open_text(script, "test", options), core::alpha_ev67_parameters());
  AlphaLog log;
  activity::Block block;
  block.restart(0);
  EXPECT_TRUE(core->run_instructions(3, block));
  EXPECT_EQ(core->retired(), 4u);  // four a cycle, and no cycle is split
  EXPECT_EQ(core->now(), 8u);
  log.append(block);
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run_instructions(1, block);
    log.append(block);
  }
  log.finish(core->retired());
  EXPECT_TRUE(log == ev67(script));
}

// Every fetch has one end; instructions retire in program order, each once; squashed instructions do not retire;
// branches of the correct path have resolved before they retire.
TEST(OutOfOrderProperties, EveryInstructionLeavesOnce) {
  for (const auto& file : recorded(6000)) {
    const std::string name = file.filename().string();
    if (name.find("matmul") != std::string::npos) continue;  // long, and adds nothing new
    auto core = core::make_alpha_ev67(trace::open(file), core::alpha_ev67_parameters());
    std::map<std::pair<Cycle, std::uint64_t>, unsigned> open;
    std::uint64_t fetched_twice = 0, next = 0, left = 0, misplaced = 0, unknown = 0, squashed = 0, emulated = 0;
    std::set<std::uint64_t> resolved;
    activity::Block block;
    for (bool more = true; more;) {
      block.restart(core->now());
      more = core->run(core->now() + 20000, block);
      const auto key = [&](const activity::Occurrence& o) {
        return std::pair{block.instructions[o.ref].tagged, block.instructions[o.ref].id};
      };
      for (const auto& o : block.column(Signal::instruction_fetch)) {
        const bool move = block.alpha_instructions[o.ref].has(act::Kind::conditional_move);
        fetched_twice += ++open[key(o)] > (move ? 2u : 1u) ? 1 : 0;
      }
      for (const Signal signal : {Signal::retire, Signal::kill}) {
        for (const auto& o : block.column(signal)) {
          unknown += open.erase(key(o)) == 1 ? 0 : 1;
          squashed += signal == Signal::retire && block.alpha_instructions[o.ref].has(act::Kind::squashed) ? 1 : 0;
        }
      }
      for (const auto& o : block.column(Signal::retire)) {
        const std::uint64_t id = block.instructions[o.ref].id;
        if (id >> 63 != 0) continue;
        misplaced += id < next ? 1 : 0;
        next = id + 1;
        ++left;
      }
      for (const auto& o : block.column(Signal::pal_entry)) {
        const auto trap = static_cast<act::Trap>(o.detail);
        emulated += trap == act::Trap::unaligned || trap == act::Trap::opcdec ? 1 : 0;
      }
    }
    EXPECT_TRUE(open.empty()) << name;
    EXPECT_EQ(fetched_twice + misplaced + unknown + squashed, 0u) << name;
    EXPECT_EQ(core->retired(), next) << name;
    EXPECT_LE(left + emulated, core->retired()) << name;
  }
}

// Perturbing mode: an interrupt may be taken in any cycle: before directives, on wrong paths, between two halves.
TEST(OutOfOrderProperties, InterruptsAnywhereLoseNothing) {
  const AlphaLog undisturbed = ev67(mixture());
  std::map<std::uint64_t, std::size_t> expected;
  for (const AlphaOccurrence& h : undisturbed.of(Signal::retire)) ++expected[h.instruction.id];
  trace::ReadOptions options;
  options.isa = trace::Isa::alpha;
  for (const Cycle distance : {211u, 307u, 449u}) {
    auto core = core::make_alpha_ev67(trace::open_text(mixture(), "test", options), core::alpha_ev67_parameters());
    AlphaLog log;
    activity::Block block;
    for (bool more = true; more;) {
      block.restart(core->now());
      more = core->run(core->now() + distance, block);
      log.append(block);
      if (more) core->take_interrupt(3);
    }
    EXPECT_EQ(core->retired(), undisturbed.retired());
    EXPECT_FALSE(core->in_handler());
    std::map<std::uint64_t, std::size_t> seen;
    for (const AlphaOccurrence& h : log.of(Signal::retire)) {
      if (h.instruction.id >> 63 == 0) ++seen[h.instruction.id];
    }
    std::erase_if(expected, [](const auto& e) { return e.first >> 63 != 0; });
    EXPECT_EQ(seen, expected) << "every " << distance << " cycles";
    EXPECT_GT(log.count(Signal::trap), undisturbed.count(Signal::trap) + 5);
  }
}

TEST(OutOfOrderProperties, BothChipsHaveTheSameParameters) {
  const auto ev6 = core::alpha_ev6_parameters(), ev67 = core::alpha_ev67_parameters();
  ASSERT_EQ(ev6.infos().size(), ev67.infos().size());
  for (const auto& info : ev6.infos()) EXPECT_EQ(ev67.get(info.name), info.default_value) << info.name;
  trace::ReadOptions options;
  options.isa = trace::Isa::ppc;
  EXPECT_THROW((void)core::make_alpha_ev6(trace::open_text("1000 60000000\n", "test", options), ev6), core::CoreError);
  EXPECT_THROW(alpha::ev67(Script().add(nop()), {{"core.retire_burst", 4}}), models::ParameterError);
  EXPECT_THROW(alpha::ev67(Script().add(nop()), {{"core.register_reserve", 42}}), models::ParameterError);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
