// Checks each rule of activity.
#include "models/activity_file/rules.h"

#include <gmock/gmock.h>

#include <functional>

#include "testbench/tests/activity_file/blocks.h"

namespace pmusim::activity_file::test {
namespace {

using activity::Signal;
using activity::State;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> problems_of(std::string_view target, const std::vector<Block>& blocks) {
  std::vector<std::string> problems;
  Rules rules(target, [&](const std::string& problem) { problems.push_back(problem); });
  for (const Block& block : blocks) rules.consume(block);
  return problems;
}

/// Returns the problems of a block of 100 cycles, three instructions and two requests after `change`.
std::vector<std::string> problems(const std::function<void(Block&)>& change, std::string_view target = "athlon") {
  Block block;
  block.begin = 1000;
  block.end = 1100;
  block.instructions.resize(3);
  block.requests.resize(2);
  if (target == "itanium2") {
    block.syllables.resize(3);
    block.ia64_requests.resize(2);
  }
  change(block);
  return problems_of(target, {block});
}
std::vector<activity::Occurrence>& column(Block& block, Signal signal) {
  return block.columns[static_cast<std::size_t>(signal)];
}
activity::StateColumn& state(Block& block, State name) { return block.states[static_cast<std::size_t>(name)]; }

TEST(Rules, RandomBlocksKeepThem) {
  for (const char* target : {"athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev5"})
    EXPECT_THAT(problems_of(target, random_blocks(target, 3, 5)), IsEmpty()) << target;
}

TEST(Rules, Columns) {
  EXPECT_THAT(problems([](Block& b) {
                column(b, Signal::retire) = {{5, 0, 1, 0}, {4, 0, 1, 0}};
              }),
              ElementsAre("block 0: signal retire: occurrence 1 in cycle 1004 after one in cycle 1005: columns are "
                          "sorted by cycle"));
  EXPECT_THAT(problems([](Block& b) {
                column(b, Signal::retire) = {{100, 0, 1, 0}};
              }),
              ElementsAre("block 0: signal retire: occurrence 0 in cycle 1100, not before the block's end 1100"));
  EXPECT_THAT(problems([](Block& b) {
                column(b, Signal::retire) = {{0, 0, 0, 0}};
              }),
              ElementsAre("block 0: signal retire: occurrence 0 has amount 0; at least 1"));
  EXPECT_THAT(
      problems([](Block& b) {
        column(b, Signal::retire) = {{0, 3, 1, 0}};
      }),
      ElementsAre("block 0: signal retire: occurrence 0 names instruction 3 of 3: records that are named are in "
                  "the block"));
  EXPECT_THAT(
      problems([](Block& b) {
        column(b, Signal::dcache_lookup) = {{0, 2, 1, 0}};
      }),
      ElementsAre("block 0: signal dcache_lookup: occurrence 0 names request 2 of 2: records that are named are "
                  "in the block"));
  EXPECT_THAT(problems([](Block& b) {
                column(b, Signal::retire) = {{0, 0, 1, 6}};
              }),
              ElementsAre("block 0: signal retire: occurrence 0 has detail bits 0x6 without a name; they are 0"));
  // Five cache line states have names.
  EXPECT_THAT(problems([](Block& b) {
                column(b, Signal::line_fill) = {{0, 0, 1, 0x0050}};
              }),
              ElementsAre("block 0: signal line_fill: occurrence 0 has detail bits 0x50 without a name; they are 0"));
}

TEST(Rules, States) {
  EXPECT_THAT(problems([](Block& b) {
                state(b, State::clock).changes = {{0, 1}};
              }),
              ElementsAre("block 0: state clock: a change in cycle 1000: changes come after the first cycle and rise"));
  EXPECT_THAT(problems([](Block& b) {
                state(b, State::clock).changes = {{9, 1}, {9, 0}};
              }),
              ElementsAre("block 0: state clock: a change in cycle 1009: changes come after the first cycle and rise"));
  EXPECT_THAT(problems([](Block& b) { state(b, State::clock).changes = {{100, 1}}; }), IsEmpty());
  EXPECT_THAT(problems([](Block& b) {
                state(b, State::clock).changes = {{101, 1}};
              }),
              ElementsAre("block 0: state clock: a change in cycle 1101, after the block's end 1100"));
  EXPECT_THAT(problems([](Block& b) { state(b, State::cpl).initial = 4; }),
              ElementsAre("block 0: state cpl: value 0x4 has bits 0x4 without a name"));
}

TEST(Rules, Records) {
  EXPECT_THAT(problems([](Block& b) { b.syllables.resize(2); }, "itanium2"),
              ElementsAre("block 0: table ia64_instruction has 2 rows, instruction has 3: row for row"));
  EXPECT_THAT(problems([](Block& b) { b.ia64_requests[1].owner = 3; }, "itanium2"),
              ElementsAre("block 0: table ia64_request: row 1 names instruction 3 of 3"));
  EXPECT_THAT(problems([](Block& b) { b.instructions[2].slot = 3; }, "itanium2"),
              ElementsAre("block 0: table instruction: row 2 is in slot 3; 0 to 2"));
  EXPECT_THAT(problems([](Block& b) { b.requests[1].thread = 2; }),
              ElementsAre("block 0: table request: row 1 is of thread 2; 0 or 1"));
  EXPECT_THAT(
      problems([](Block& b) {
        b.accesses = {{100, false, 0, 0, {}}};
        column(b, Signal::register_access) = {{0, 0, 1, 0}};
      }),
      ElementsAre("block 0: table access: row 0 in cycle 1100: accesses are sorted by cycle and within the block"));
  EXPECT_THAT(problems([](Block& b) {
                b.accesses = {{1, false, 0, 0, {}}};
              }),
              ElementsAre("block 0: 1 accesses and 0 occurrences of register_access: each has both"));
}

TEST(Rules, BlocksFollowEachOther) {
  std::vector<Block> blocks(2);
  blocks[0].end = 10;
  blocks[1].begin = 11;
  blocks[1].end = 12;
  EXPECT_THAT(problems_of("athlon", blocks),
              ElementsAre("block 1: it begins with cycle 11, the one before ends with 10: blocks follow each other"));
  blocks[1].begin = 10;
  blocks[1].end = 10 + (std::uint64_t{1} << 32);
  EXPECT_THAT(problems_of("athlon", blocks), ElementsAre("block 1: 4294967296 cycles; at most 2147483647"));
}

}  // namespace
}  // namespace pmusim::activity_file::test
