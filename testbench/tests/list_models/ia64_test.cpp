// The core of the Itanium 2, or of the Montecito (PROCESSOR), against list models, request by request and branch by
// branch.
#include <gtest/gtest.h>

#include "testbench/tests/list_models/ia64_runs.h"
#include "testbench/tests/list_models/programs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64::lists {
namespace {

TEST(Ia64Lists, FollowRecordedPrograms) {
  for (const ListedProgram& program : recorded_programs("ia64")) {
    SCOPED_TRACE(program.name);
    const Compared sums = compare(PROCESSOR(), program.open);
    EXPECT_EQ(sums.differences, 0u);
    EXPECT_GT(sums.requests, 100u);
    EXPECT_GT(sums.branches, 100u);
  }
}

// Small caches and TLBs, and another agent in between.
TEST(Ia64Lists, FollowRecordedProgramsThatOverflowEverything) {
  const Processor processor = small(PROCESSOR());
  unsigned seed = 0;
  for (const ListedProgram& program : recorded_programs("ia64")) {
    SCOPED_TRACE(program.name);
    const Compared sums = compare(processor, program.open, 500, ++seed);
    EXPECT_EQ(sums.differences, 0u);
    EXPECT_GT(sums.outside, 4u);
  }
}

TEST(Ia64Lists, FollowRandomTraces) {
  const Processor processor = small(PROCESSOR());
  for (unsigned seed = 1; seed <= 16; seed += static_cast<unsigned>(sampling)) {
    SCOPED_TRACE(seed);
    const std::uint64_t bytes = seed % 2 == 0 ? 0x20000 : 0x4000;
    EXPECT_EQ(compare(processor, random_trace(seed, 2000, bytes), 40, seed).differences, 0u);
  }
}

}  // namespace
}  // namespace pmusim::testbench::ia64::lists
