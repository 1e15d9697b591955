// The parts without time: TLB, history table, window of the program, operands of directives.
#include <gtest/gtest.h>

#include "models/core/core.h"
#include "models/core/parts/directives.h"
#include "models/core/parts/predictor.h"
#include "models/core/parts/program.h"
#include "models/core/parts/tlb.h"
#include "program.h"

namespace pmusim::testbench {
namespace {

TEST(Tlb, KeepsTheRecentlyUsedOfASet) {
  core::Tlb tlb(4, 2);
  EXPECT_FALSE(tlb.lookup(1));
  tlb.fill(1);
  tlb.fill(5);  // the same set
  EXPECT_TRUE(tlb.lookup(1));
  tlb.fill(9);  // 5 is the least recently used
  EXPECT_TRUE(tlb.contains(1));
  EXPECT_FALSE(tlb.contains(5));
  EXPECT_FALSE(tlb.lookup(1, 7)) << "another address space";
  tlb.invalidate(1);
  EXPECT_FALSE(tlb.contains(1));
  EXPECT_TRUE(tlb.contains(9));
  tlb.invalidate_set(5);
  EXPECT_FALSE(tlb.contains(9));
  tlb.fill(2);
  tlb.clear();
  EXPECT_FALSE(tlb.contains(2));
  EXPECT_THROW(core::Tlb(3, 2), std::invalid_argument);
}

TEST(TwoBitTable, SaturatesAndWrapsItsIndex) {
  core::TwoBitTable table(4, 0);
  EXPECT_FALSE(table.taken(1));
  table.update(1, true);
  EXPECT_FALSE(table.taken(1));
  for (int i = 0; i < 5; ++i) table.update(1, true);
  EXPECT_TRUE(table.taken(5)) << "index modulo 4";
  table.update(1, false);
  EXPECT_TRUE(table.taken(1));
  table.update(1, false);
  EXPECT_FALSE(table.taken(1));
  EXPECT_THROW(core::TwoBitTable(5), std::invalid_argument);
}

TEST(Program, WindowGrowsAndGoesBack) {
  TraceText t;
  for (int i = 0; i < 200; ++i) t.op(ppc::lwz(3, 9, 0), fmt::format("L {:x} 4", 0x2000 + 4 * i));
  core::Program program(t.say("idle cycles=1").reader());
  for (std::uint64_t i = 0; i < 200; ++i) ASSERT_NE(program.at(i), nullptr);
  EXPECT_EQ(program.at(200), nullptr);
  EXPECT_EQ(program.trailing().size(), 1u);
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
  const auto message = [](auto action) -> std::string {
    try {
      action();
    } catch (const core::CoreError& e) {
      return e.what();
    }
    return {};
  };
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
