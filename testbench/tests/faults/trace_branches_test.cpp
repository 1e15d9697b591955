// The branches of an activity compared with those of its trace: a change to one of them must be noticed.
#include "testbench/judge/trial/trace_branches.h"

#include <gtest/gtest.h>

#include <functional>

#include "models/activity/ia64.h"
#include "testbench/driver/session.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench {
namespace {

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
