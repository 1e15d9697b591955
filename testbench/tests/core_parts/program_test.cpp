// The error of a core that has nothing left to wait for: it names the current instruction of the trace.
#include "models/core/parts/program.h"

#include <gtest/gtest.h>

namespace pmusim::core {
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
