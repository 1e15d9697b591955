// The cores of the Itanium 2 and the Montecito against list models, request by request and branch by branch.
#include <gtest/gtest.h>

#include "testbench/tests/list_models/ia64_runs.h"
#include "testbench/tests/list_models/programs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64::lists {
namespace {

class Ia64Lists : public testing::TestWithParam<Processor (*)()> {};

TEST_P(Ia64Lists, FollowRecordedPrograms) {
  for (const ListedProgram& program : recorded_programs("ia64", GetParam() == itanium2 ? 250'000 : 100'000)) {
    SCOPED_TRACE(program.name);
    const Compared sums = compare(GetParam()(), program.open);
    EXPECT_EQ(sums.differences, 0u);
    EXPECT_GT(sums.requests, 100u);
    EXPECT_GT(sums.branches, 100u);
  }
}

// Small caches and TLBs, and another agent in between.
TEST_P(Ia64Lists, FollowRecordedProgramsThatOverflowEverything) {
  const Processor processor = small(GetParam()());
  unsigned seed = 0;
  for (const ListedProgram& program : recorded_programs("ia64", 250'000)) {
    SCOPED_TRACE(program.name);
    const Compared sums = compare(processor, program.open, 500, ++seed);
    EXPECT_EQ(sums.differences, 0u);
    EXPECT_GT(sums.outside, 4u);
  }
}

TEST_P(Ia64Lists, FollowRandomTraces) {
  const Processor processor = small(GetParam()());
  for (unsigned seed = 1; seed <= 16; seed += static_cast<unsigned>(sampling)) {
    SCOPED_TRACE(seed);
    const std::uint64_t bytes = seed % 2 == 0 ? 0x20000 : 0x4000;
    EXPECT_EQ(compare(processor, random_trace(seed, 2000, bytes), 40, seed).differences, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, Ia64Lists, testing::Values(itanium2, montecito), core_name);

}  // namespace
}  // namespace pmusim::testbench::ia64::lists
