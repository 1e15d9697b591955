// The parts without time: window of the program, operands of directives, recorder.
#include <gtest/gtest.h>

#include "models/core/core.h"
#include "models/core/parts/directives.h"
#include "models/core/parts/program.h"
#include "models/core/parts/recorder.h"
#include "testbench/tests/core_ppc750/program.h"

namespace pmusim::testbench {
namespace {

TEST(Program, WindowGrowsAndGoesBack) {
  ppc750::TraceText t;
  for (int i = 0; i < 200; ++i) t.op(ppc::lwz(3, 9, 0), fmt::format("L {:x} 4", 0x2000 + 4 * i));
  core::Program program(t.say("idle cycles=1").reader());
  for (std::uint64_t i = 0; i < 200; ++i) ASSERT_NE(program.at(i), nullptr);
  EXPECT_EQ(program.at(200), nullptr);
  EXPECT_EQ(program.directives_at(200).list.size(), 1u);
  EXPECT_EQ(program.at(7)->instruction.accesses[0].address, 0x2000u + 28) << "still its own access";
  program.complete(1);
  EXPECT_EQ(program.begin(), 0u) << "the oldest is not done";
  program.complete(0);
  EXPECT_EQ(program.begin(), 2u);
  program.complete(3);
  program.undo(2);
  program.complete(2);
  EXPECT_EQ(program.begin(), 3u);
}

TEST(Operands, SayWhatIsWrongAndWhere) {
  trace::Directive directive{"thing", {{"", "0x10"}, {"kind", "red"}, {"addr", "ff"}, {"more", "1"}}, 12};
  core::Operands operands(directive, 3);
  EXPECT_EQ(operands.number(""), 16u);
  EXPECT_EQ(operands.address("addr"), 255u);
  EXPECT_EQ(operands.choice("kind", {"green", "red"}), 1u);
  EXPECT_EQ(operands.choice("colour", {"green"}), std::nullopt);
  const auto message = [](auto action) { return error_of<core::CoreError>(action); };
  EXPECT_EQ(message([&] { operands.finish(); }), "trace line 12: '! thing': takes no operand 'more=1'");
  EXPECT_EQ(message([&] { (void)operands.number("kind"); }), "trace line 12: '! thing': 'red' is no decimal number");
  EXPECT_EQ(message([&] { (void)operands.address("size"); }), "trace line 12: '! thing': operand 'size=' is missing");
  EXPECT_EQ(message([&] {
              (void)operands.required_choice("side", {"a", "b"});
            }),
            "trace line 12: '! thing': operand 'side=' is missing; one of a, b");
  directive.line = 0;
  EXPECT_EQ(message([&] { operands.fail("x"); }), "trace before instruction 3: '! thing': x");
}

}  // namespace
}  // namespace pmusim::testbench

// The recorder obeys the rules of activity blocks.
namespace pmusim::core {
namespace {

constexpr auto msr = static_cast<std::size_t>(State::msr);

TEST(Recorder, StatesChangeOnlyWhereTheValueDoes) {
  Recorder recorder;
  Block block;
  recorder.open(block, 0);
  recorder.begin_cycle(0);
  recorder.set(State::msr, 1);  // cycle 0: the initial value
  recorder.begin_cycle(3);
  recorder.set(State::msr, 2);
  recorder.set(State::msr, 1);  // restored in the same cycle: no change is recorded
  recorder.begin_cycle(4);
  recorder.set(State::msr, 3);
  recorder.set(State::msr, 4);  // the last one of a cycle wins
  recorder.close(6);
  EXPECT_EQ(block.states[msr].initial, 1u);
  ASSERT_EQ(block.states[msr].changes.size(), 1u);
  EXPECT_EQ(block.states[msr].changes[0].at, 4u);
  EXPECT_EQ(block.states[msr].changes[0].value, 4u);
}

TEST(Recorder, RefusesABlockOfAnotherCycle) {
  Recorder recorder;
  Block block;
  EXPECT_THROW(recorder.open(block, 5), std::logic_error);
}

}  // namespace
// The error of a core that has nothing left to wait for: it names the current instruction of the trace.

namespace {

TEST(Program, NamesTheOldestInstructionThatHasNotCompleted) {
  Program program(trace::open_text("! isa i386\n1000 90\n1001 8b03 L 8000 4\n", "text"));
  ASSERT_NE(program.at(1), nullptr);
  program.complete(0);
  EXPECT_EQ(
      program.never_completes(7),
      "trace instruction 1 at 00001001 (8b03), 1 accesses: does not complete, nothing is left to wait for in cycle 7; "
      "expected the accesses that the instruction makes");
  program.complete(1);
  EXPECT_EQ(program.never_completes(9), "cycle 9: nothing is left to wait for after the last instruction");
}

}  // namespace
}  // namespace pmusim::core
