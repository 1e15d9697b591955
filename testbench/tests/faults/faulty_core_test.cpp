// A core that loses an instruction, or reports one twice: model and oracle get the same activity and agree. The
// comparison with the trace itself must detect it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include "models/activity/ia64.h"
#include "testbench/driver/session.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/judge/trial/trace_counts.h"
#include "testbench/store/data_folder.h"
#include "testbench/sweep/jobs.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {

namespace {

using activity::Signal;

enum class Fault : std::uint8_t { none, loses, repeats };

/// Forwards all calls; in the first block in which more than ten instructions issue or retire, it falsifies one of
/// them.
class FaultyCore final : public core::Core {
 public:
  FaultyCore(std::unique_ptr<core::Core> sound, Fault fault) : sound_(std::move(sound)), fault_(fault) {}
  [[nodiscard]] Cycle now() const override { return sound_->now(); }
  [[nodiscard]] Cycle quiet_until() const override { return now(); }
  void subscribe(const activity::Subscription& /*subscription*/) override {}  // its blocks contain everything
  bool run(Cycle limit, Block& block) override {
    const bool more = sound_->run(limit, block);
    spoil(block);
    return more;
  }
  bool run_instructions(std::uint64_t count, Block& block) override { return sound_->run_instructions(count, block); }
  [[nodiscard]] std::uint64_t retired() const override { return sound_->retired(); }
  [[nodiscard]] std::uint64_t retired_of(unsigned thread) const override { return sound_->retired_of(thread); }
  void take_interrupt(unsigned instructions) override { sound_->take_interrupt(instructions); }
  [[nodiscard]] bool in_handler() const override { return sound_->in_handler(); }

 private:
  using Column = std::vector<activity::Occurrence>;

  /// An occurrence whose repetition exceeds no limit of a cycle; without one the last.
  static Column::iterator alone_in_its_cycle(Column& column) {
    for (std::size_t i = 1; i + 1 < column.size(); ++i) {
      if (column[i - 1].at != column[i].at && column[i + 1].at != column[i].at)
        return column.begin() + static_cast<std::ptrdiff_t>(i);
    }
    return column.end() - 1;
  }

  void spoil(Block& block) {
    for (const Signal signal : {Signal::issue, Signal::retire}) {
      auto& column = block.columns[static_cast<std::size_t>(signal)];
      if (column.size() <= 10 || fault_ == Fault::none) continue;
      if (fault_ == Fault::loses) {
        column.pop_back();
      } else {
        const auto alone = alone_in_its_cycle(column);
        column.insert(alone, *alone);
      }
      if (signal == Signal::retire) fault_ = Fault::none;
    }
  }
  std::unique_ptr<core::Core> sound_;
  Fault fault_;
};

struct Subject {
  const char* target;
  const char* trace;  ///< recorded; empty: a chain of additions of an Alpha
  const char* row;
};
void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.target; }

const models::Target* sound = nullptr;
Fault planted = Fault::none;

std::unique_ptr<core::Core> make_faulty(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters) {
  return std::make_unique<FaultyCore>(sound->make_core(std::move(trace), parameters), planted);
}

/// Numbers of the row's checks, of mismatches, and of mismatches that report the number in the trace's instructions.
struct Found {
  unsigned checks = 0, mismatches = 0, by_trace = 0;
};

Found judge_here(const Subject& subject, const std::filesystem::path& trace) {
  models::Target model = *sound;
  model.make_core = make_faulty;
  Task task;
  task.target = subject.target;
  task.trace = trace;
  task.parameters = model.parameters();
  task.plan = make_plan(subject.target, Depth::basic, find_landmarks(trace), subject.row);
  for (const Group& group : task.plan) task.answers.push_back(own_encoder()->encode(task.target, group));
  task.model = &model;
  const JobVerdict verdict = judge(task);
  Found found;
  for (const auto& [row, result] : verdict.rows) {
    found.checks += static_cast<unsigned>(result.checks);
    found.mismatches += static_cast<unsigned>(result.mismatches);
  }
  for (const Mismatch& mismatch : verdict.mismatches)
    found.by_trace += mismatch.problem.find("the instructions of the trace make") != std::string::npos ? 1 : 0;
  return found;
}

/// In a child process: SystemC allows one simulation per process.
Found judge_in_child(const Subject& subject, const std::filesystem::path& trace) {
  Found found;
  const auto work = [&](std::size_t) {
    const Found here = judge_here(subject, trace);
    return fmt::format("{} {} {}", here.checks, here.mismatches, here.by_trace);
  };
  run_jobs({1, work, [&](std::size_t) { return subject.target; }}, 1, [&](std::size_t, const std::string& line) {
    std::istringstream(line) >> found.checks >> found.mismatches >> found.by_trace;
  });
  return found;
}

class FaultyCores : public ::testing::TestWithParam<Subject> {};

TEST_P(FaultyCores, AreNoticedFromTheTrace) {
  const Scratch scratch;
  std::filesystem::path trace = data_folder() / "isa-traces" / "recorded" / (std::string(GetParam().trace) + ".pmt");
  if (*GetParam().trace == '\0') {
    trace = scratch.path() / "additions.txt";
    std::ofstream text(trace);
    text << "! isa alpha\n";
    for (unsigned i = 0; i < 200; ++i) text << fmt::format("{:x} 01042140 itlb=hit\n", 0x120000000 + 4 * i);
  }
  sound = models::find_target(GetParam().target);
  planted = Fault::none;
  const Found right = judge_in_child(GetParam(), trace);
  EXPECT_GE(right.checks, 1u);
  EXPECT_EQ(right.mismatches, 0u);
  for (const Fault fault : {Fault::loses, Fault::repeats}) {
    // A 21064 executes at most one integer operate per cycle: a duplicate in the same cycle has no effect.
    if (fault == Fault::repeats && std::string_view(GetParam().target) == "alpha-ev4") continue;
    planted = fault;
    const Found found = judge_in_child(GetParam(), trace);
    EXPECT_GE(found.by_trace, 1u) << (fault == Fault::loses ? "one too few" : "one twice");
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FaultyCores,
                         ::testing::Values(Subject{"athlon", "i386-recursion-O2", "RETIRED_INSTRUCTIONS"},
                                           Subject{"ppc750gx", "ppc-recursion-O2", "INSTRUCTIONS_COMPLETED"},
                                           Subject{"ppc750gl", "ppc-recursion-O2", "INSTRUCTIONS_COMPLETED"},
                                           Subject{"itanium2", "ia64-recursion-O2", "IA64_INST_RETIRED"},
                                           Subject{"montecito", "ia64-recursion-O2", "IA64_INST_RETIRED"},
                                           Subject{"alpha-ev4", "", "PF_INTOPS"},
                                           Subject{"alpha-ev5", "", "PF5_MUX1_INTEGER_OPERATE"},
                                           Subject{"alpha-pca56", "", "PF5_MUX1_INTEGER_OPERATE"},
                                           Subject{"alpha-ev6", "", "PF6_MUX0_RET_INSTRUCTIONS"},
                                           Subject{"alpha-ev67", "", "RETINST"}));

// The branches of an activity compared with those of its trace: a change to one of them must be noticed.

using activity::Signal;

std::vector<std::unique_ptr<trace::Reader>> counted_loop() {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(trace::open(data_folder() / "isa-traces" / "micro" / "itanium2.pmt" / "multiway"));
  return traces;
}

struct Outcome {
  std::uint64_t branches;
  std::string problem;
};

/// Runs a trace with branches; `change` gets the block and the index of its third branch in the column `retire`.
Outcome compare(const std::function<void(activity::Block&, std::size_t)>& change) {
  const models::Target& target = *models::find_target("itanium2");
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, target.parameters(), options);
  TraceBranches program(counted_loop());
  unsigned seen = 0;
  session.add_observer([&](const activity::Block& block) {
    activity::Block copy = block;
    const auto& retired = block.column(Signal::retire);
    for (std::size_t i = 0; i < retired.size(); ++i) {
      if (retired[i].ref == activity::no_ref) continue;
      if (block.syllables[retired[i].ref].has(activity::ia64::Kind::branch) && ++seen == 3) change(copy, i);
    }
    program.consume(copy);
  });
  session.run(counted_loop());
  program.finish();
  return {program.branches(), program.problem()};
}

activity::InstructionRecord& branch_at(activity::Block& block, std::size_t i) {
  return block.instructions[block.column(Signal::retire)[i].ref];
}

TEST(TraceBranches, AreThoseThatRetire) {
  const Outcome same = compare([](activity::Block&, std::size_t) {});
  EXPECT_EQ(same.problem, "");
  EXPECT_GT(same.branches, 3u);
}

TEST(TraceBranches, EveryChangeIsNoticed) {
  EXPECT_NE(compare([](auto& b, std::size_t i) { branch_at(b, i).ip += 16; }).problem, "");
  EXPECT_NE(compare([](auto& b, std::size_t i) { branch_at(b, i).slot ^= 1; }).problem, "");
  EXPECT_NE(compare([](auto& b, std::size_t i) { branch_at(b, i).taken = !branch_at(b, i).taken; }).problem, "");
  EXPECT_NE(compare([](auto& b, std::size_t i) {
              branch_at(b, i).taken = true;
              branch_at(b, i).next_ip += 64;
            }).problem,
            "");
  EXPECT_NE(compare([](auto& b, std::size_t i) { branch_at(b, i).id += 4; }).problem, "");
  const auto drop = [](auto& b, std::size_t i) {
    auto& column = b.columns[static_cast<std::size_t>(Signal::retire)];
    column.erase(column.begin() + static_cast<std::ptrdiff_t>(i));
  };
  EXPECT_NE(compare(drop).problem, "");
  const auto drop_all = [](auto& b, std::size_t) { b.columns[static_cast<std::size_t>(Signal::retire)].clear(); };
  EXPECT_NE(compare(drop_all).problem.find("does not retire"), std::string::npos);
}

}  // namespace

}  // namespace pmusim::testbench
