// The rules of activity that every core keeps on every program (models/core/README.md): nothing depends on where blocks
// are cut, every instruction leaves once, in program order and no faster than the machine is wide, and an interrupt
// anywhere loses nothing.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "digest.h"
#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "programs.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {
namespace {

using activity::Block;
using activity::Cycle;
using activity::Signal;

struct Row {
  const char* target;
  Signal enters;            ///< where an instruction begins its life
  unsigned enter, retire;   ///< most of them in a cycle
  const char* outside;      ///< what random programs do not have: interrupts, traps, forced mispredictions
  bool two_traces = false;  ///< one for each hardware thread
};
constexpr auto alpha_outside =
    "! interrupt\n30000 1f04ff47\n! return\n20000 83000000\n20004 03142258 trap=arithmetic\n! parity addr=20000\n"
    "20008 010020f4 T 20010 mispredict=path\n20010 1f04ff47\n";
constexpr auto ppc_outside =
    "! msr pm=1\n! interrupt\n500 60000000\n! return\n20000 40820008 T 20008 mispredict=path\n20008 60000000\n";
constexpr auto x86_outside =
    "! pin intr level=1 cycles=300\n! interrupt\n9000 fa\n9001 90\n9002 cf T 20000\n"
    "20000 7502 T 20004 mispredict=path\n20004 8903 S 20006 1\n20006 90\n";
constexpr Row rows[] = {
    {"athlon", Signal::dispatch, 3, 3, x86_outside},
    {"ppc750gx", Signal::dispatch, 2, 2, ppc_outside},
    {"itanium2", Signal::dispatch, 6, 6, ""},
    {"montecito", Signal::dispatch, 6, 6, ""},
    {"montecito", Signal::dispatch, 6, 6, "", true},
    {"alpha-ev4", Signal::issue, 2, 2, alpha_outside},
    {"alpha-ev5", Signal::issue, 4, 4, alpha_outside},
    {"alpha-pca56", Signal::issue, 4, 4, alpha_outside},
    {"alpha-ev6", Signal::instruction_fetch, 4, 11, alpha_outside},
    {"alpha-ev67", Signal::instruction_fetch, 4, 11, alpha_outside},
};

/// The number of an instruction in its trace; the second thread's have a bit set.
std::uint64_t ordinal_of(const activity::InstructionRecord& i) {
  return i.thread == 1 ? i.id ^ std::uint64_t{1} << 62 : i.id;
}
/// Those of handlers, flows and wrong paths have one of the three highest bits set.
bool is_of_program(const activity::InstructionRecord& i) { return ordinal_of(i) >> 61 == 0; }

class Rules : public testing::TestWithParam<Row> {
 protected:
  /// The core with its default parameters on a random program.
  [[nodiscard]] std::unique_ptr<core::Core> core_on(std::uint64_t seed) const {
    const models::Target& target = *models::find_target(GetParam().target);
    const auto trace = [&](std::uint64_t of) {
      return trace::open_memory(random_program(target.isa, of).text + GetParam().outside, "random");
    };
    if (!GetParam().two_traces) return target.make_core(trace(seed), target.parameters());
    std::vector<std::unique_ptr<trace::Reader>> traces;
    for (const std::uint64_t of : {seed, seed + 100}) traces.push_back(trace(of));
    return target.make_threaded_core(std::move(traces), target.parameters());
  }
};

/// Follows instructions from their first signal to their end.
class Lives {
 public:
  explicit Lives(const Row& row) : row_(row) {}
  void see(const Block& block) {
    const auto key = [&](const activity::Occurrence& o) {
      const activity::InstructionRecord& i = block.instructions.at(o.ref);
      return std::tuple{i.tagged, i.id, i.slot};
    };
    for (const auto& o : block.column(row_.enters)) alive_.insert(key(o));
    for (const Signal end : {Signal::retire, Signal::kill, Signal::trap}) {
      for (const auto& o : block.column(end)) {
        // Of the trap signals those that end an instruction name one that is alive.
        if (end == Signal::trap && (o.ref == activity::no_ref || !alive_.contains(key(o)))) continue;
        EXPECT_EQ(alive_.erase(key(o)), 1u) << "instruction " << block.instructions[o.ref].id << " was not there";
      }
    }
    at_most(block, row_.enters, row_.enter);
    at_most(block, Signal::retire, row_.retire);
    for (const auto& o : block.column(Signal::retire)) {
      const activity::InstructionRecord& i = block.instructions[o.ref];
      EXPECT_FALSE(i.wrong_path);
      if (!is_of_program(i)) continue;
      std::vector<std::uint64_t>& list = program_[i.thread];
      EXPECT_TRUE(list.empty() || list.back() < ordinal_of(i)) << "program order, each once";
      list.push_back(ordinal_of(i));
    }
  }
  void finish() const { EXPECT_TRUE(alive_.empty()) << "instruction " << std::get<1>(*alive_.begin()) << " stays"; }
  /// The numbers of the program's instructions that retired, by thread.
  [[nodiscard]] const std::map<unsigned, std::vector<std::uint64_t>>& program() const { return program_; }

 private:
  static void at_most(const Block& block, Signal signal, unsigned limit) {
    const auto& column = block.column(signal);
    for (std::size_t i = limit; i < column.size(); ++i)
      EXPECT_NE(column[i].at, column[i - limit].at)
          << "more than " << limit << " of signal " << static_cast<int>(signal);
  }
  const Row& row_;
  std::set<std::tuple<Cycle, std::uint64_t, unsigned>> alive_;
  std::map<unsigned, std::vector<std::uint64_t>> program_;
};

TEST_P(Rules, BlocksOfAnyLengthAreTheSame) {
  for (unsigned seed = first_case(), end = seed + cases(sanitized ? 10 : 60) / 10; seed < end; ++seed) {
    SCOPED_TRACE(seed);
    const std::uint64_t whole = digest_of(*core_on(seed), 100'000'000);
    for (const Cycle cycles : {1u, 7u, 1000u}) EXPECT_EQ(digest_of(*core_on(seed), cycles), whole) << cycles;
    const auto core = core_on(seed);
    const auto by_instructions = [&](Block& block) {
      const std::uint64_t before = core->retired();
      const bool more = core->run_instructions(5, block);
      EXPECT_EQ(block.end, core->now());
      EXPECT_TRUE(!more || core->retired() >= before + 5);
      EXPECT_LT(core->retired(), before + 5 + 2 * GetParam().retire) << "no more than the cycle of the last one";
      return more;
    };
    EXPECT_EQ(digest_of(*core, by_instructions), whole) << "counted off by instructions";
  }
}

TEST_P(Rules, InstructionsLeaveOnceAndInterruptsLoseNone) {
  std::uint64_t interrupts = 0;
  for (unsigned seed = first_case(), end = seed + cases(sanitized ? 10 : 60) / 10; seed < end; ++seed) {
    SCOPED_TRACE(seed);
    const auto quiet = core_on(seed);
    Lives undisturbed(GetParam());
    (void)digest_of(
        *quiet, [&](Block& block) { return quiet->run(quiet->now() + 20'000, block); },
        [&](const Block& block) { undisturbed.see(block); });
    undisturbed.finish();
    for (const Cycle period : {997u, 1501u}) {
      const auto core = core_on(seed);
      Lives lives(GetParam());
      std::uint64_t taken = 0, seen = 0;
      (void)digest_of(
          *core,
          [&](Block& block) {
            const bool more = core->run(core->now() + period, block);
            if (more && !core->in_handler()) {
              core->take_interrupt(4);
              ++taken;
            }
            return more;
          },
          [&](const Block& block) {
            lives.see(block);
            for (const auto& o : block.column(Signal::trap)) seen += (o.detail & activity::detail::trap_monitor) != 0;
          });
      lives.finish();
      EXPECT_FALSE(core->in_handler());
      EXPECT_EQ(core->retired(), quiet->retired());
      EXPECT_EQ(lives.program(), undisturbed.program()) << "an interrupt every " << period << " cycles";
      EXPECT_EQ(seen, taken);
      interrupts += taken;
    }
  }
  EXPECT_GT(interrupts, sanitized ? 0u : 20u);
}

TEST_P(Rules, OtherInstructionSetsAreRefused) {
  const models::Target& target = *models::find_target(GetParam().target);
  const std::string text = target.isa == trace::Isa::i386 ? "! isa ppc\n1000 60000000\n" : "! isa i386\n1000 90\n";
  EXPECT_THROW((void)target.make_core(trace::open_memory(text, "other"), target.parameters()), core::CoreError);
}

INSTANTIATE_TEST_SUITE_P(Cores, Rules, testing::ValuesIn(rows), [](const auto& info) {
  std::string name = info.param.target;
  std::erase(name, '-');
  return info.param.two_traces ? name + "_two" : name;
});

}  // namespace
}  // namespace pmusim::testbench
