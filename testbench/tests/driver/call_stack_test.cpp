// Which calls a return ends, and when a branch that never retires takes effect.
#include "testbench/driver/call_stack.h"

#include <gtest/gtest.h>

namespace pmusim::testbench {
namespace {

using activity::Block;
using activity::Cycle;
using activity::Signal;
using activity::Trait;
using Frames = std::vector<std::uint64_t>;

/// A block of ten cycles in which instructions of four bytes retire or are folded, one a cycle.
class Program {
 public:
  explicit Program(Cycle begin = 0) {
    block_.restart(begin);
    block_.end = begin + 10;
  }
  Program& add(std::uint32_t at, Signal signal, std::uint64_t id, std::uint64_t ip, std::uint64_t next, Trait trait) {
    activity::InstructionRecord record;
    record.id = id;
    record.ip = ip;
    record.next_ip = next;
    record.length = 4;
    record.traits = activity::bit(trait);
    record.taken = signal == Signal::retire;  // not yet known for a folded branch
    activity::Occurrence occurrence{};
    occurrence.at = at;
    occurrence.ref = static_cast<std::uint32_t>(block_.instructions.size());
    block_.instructions.push_back(record);
    block_.columns[static_cast<std::size_t>(signal)].push_back(occurrence);
    return *this;
  }
  Program& call(std::uint32_t at, std::uint64_t ip, std::uint64_t to) {
    return add(at, Signal::retire, at, ip, to, Trait::call);
  }
  Program& returns(std::uint32_t at, std::uint64_t ip, std::uint64_t to) {
    return add(at, Signal::retire, at, ip, to, Trait::near_return);
  }
  [[nodiscard]] const Block& block() const { return block_; }

 private:
  Block block_;
};

TEST(CallStack, AReturnEndsTheCallThatItGoesBackTo) {
  CallStack stack(0);
  stack.consume(Program()
                    .call(0, 0x100, 0x1000)
                    .call(1, 0x1000, 0x2000)
                    .call(2, 0x2000, 0x3000)
                    .returns(4, 0x3000, 0x9000)  // matches no call
                    .returns(6, 0x3004, 0x1004)  // returns past the innermost call
                    .returns(8, 0x1008, 0x104)
                    .block());
  EXPECT_EQ(stack.at(3), (Frames{0x1000, 0x2000, 0x3000}));
  EXPECT_EQ(stack.caller_at(3), 0x2004u);
  EXPECT_EQ(stack.at(6), (Frames{0x1000, 0x2000, 0x3000}));
  EXPECT_EQ(stack.at(7), Frames{0x1000});
  EXPECT_EQ(stack.at(9), Frames{});
  EXPECT_EQ(stack.caller_at(9), 0u);
}

TEST(CallStack, ACallOfTheNextInstructionIsNone) {
  CallStack stack(0);
  stack.consume(Program().call(0, 0x100, 0x104).call(1, 0x104, 0x1000).block());
  EXPECT_EQ(stack.at(5), Frames{0x1000});
}

TEST(CallStack, AFoldedReturnCountsInItsPlaceInTheProgram) {
  CallStack stack(0);
  // The return with id 5 is folded before the call with id 4 retires, and again after a flush. It takes effect after
  // the instruction with id 6 has retired, in the next block.
  stack.consume(Program()
                    .call(0, 0x100, 0x1000)
                    .add(1, Signal::fold, 5, 0x2000, 0x1004, Trait::near_return)
                    .add(2, Signal::retire, 4, 0x1000, 0x2000, Trait::call)
                    .add(3, Signal::fold, 5, 0x2000, 0x1004, Trait::near_return)
                    .block());
  EXPECT_EQ(stack.at(9), (Frames{0x1000, 0x2000}));
  stack.consume(Program(10).add(4, Signal::retire, 6, 0x1004, 0x1008, Trait::load).block());
  EXPECT_EQ(stack.at(14), (Frames{0x1000, 0x2000}));
  EXPECT_EQ(stack.at(15), Frames{0x1000});
}

}  // namespace
}  // namespace pmusim::testbench
