// Checks each rule of activity.
#include "models/activity_file/rules.h"

#include <gmock/gmock.h>

#include <functional>

#include "blocks.h"
#include "pmusim/trace/bytes.h"
#include "testbench/tests/sampling.h"

namespace pmusim::activity_file::test {

namespace {

using activity::Signal;
using activity::State;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> problems_of(std::string_view target, const std::vector<Block>& blocks) {
  std::vector<std::string> problems;
  Rules rules(target, [&](const std::string& problem) { problems.push_back(problem); });
  for (const Block& block : blocks) rules.consume(block);
  return problems;
}

using Change = std::function<void(Block&)>;
Change occurring(Signal signal, const std::vector<activity::Occurrence>& occurrences) {
  return [=](Block& block) { block.columns[static_cast<std::size_t>(signal)] = occurrences; };
}
Change changing(State state, const std::vector<activity::Change>& changes) {
  return [=](Block& block) { block.states[static_cast<std::size_t>(state)].changes = changes; };
}

TEST(Rules, RandomBlocksKeepThem) {
  for (const char* target : {"athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev5"})
    EXPECT_THAT(problems_of(target, random_blocks(target, 3, 5)), IsEmpty()) << target;
}

// A block of 100 cycles from 1000 on, with three instructions and two requests, and a change that breaks a rule.
TEST(Rules, OfABlock) {
  struct Row {
    Change change;
    std::string problem;
    const char* target = "athlon";
  };
  const Change early_access = [](Block& b) { b.accesses.resize(1); };
  const Change late_access = [](Block& b) {
    occurring(Signal::register_access, {{0, 0, 1, 0}})(b);
    b.accesses.resize(1);
    b.accesses[0].at = 100;
  };
  const Row rows[] = {
      {occurring(Signal::retire, {{5, 0, 1, 0}, {4, 0, 1, 0}}),
       "signal retire: occurrence 1 in cycle 1004 after one in cycle 1005: columns are sorted by cycle"},
      {occurring(Signal::retire, {{100, 0, 1, 0}}),
       "signal retire: occurrence 0 in cycle 1100, not before the block's end 1100"},
      {occurring(Signal::retire, {{0, 0, 0, 0}}), "signal retire: occurrence 0 has amount 0; at least 1"},
      {occurring(Signal::retire, {{0, 3, 1, 0}}),
       "signal retire: occurrence 0 names instruction 3 of 3: records that are named are in the block"},
      {occurring(Signal::dcache_lookup, {{0, 2, 1, 0}}),
       "signal dcache_lookup: occurrence 0 names request 2 of 2: records that are named are in the block"},
      {occurring(Signal::retire, {{0, 0, 1, 6}}),
       "signal retire: occurrence 0 has detail bits 0x6 without a name; they are 0"},
      {occurring(Signal::line_fill, {{0, 0, 1, 0x0050}}),  // five cache line states have names
       "signal line_fill: occurrence 0 has detail bits 0x50 without a name; they are 0"},
      {changing(State::clock, {{0, 1}}),
       "state clock: a change in cycle 1000: changes come after the first cycle and rise"},
      {changing(State::clock, {{9, 1}, {9, 0}}),
       "state clock: a change in cycle 1009: changes come after the first cycle and rise"},
      {changing(State::clock, {{100, 1}}), ""},
      {changing(State::clock, {{101, 1}}), "state clock: a change in cycle 1101, after the block's end 1100"},
      {changing(State::cpl, {{1, 4}}), "state cpl: value 0x4 has bits 0x4 without a name"},
      {[](Block& b) { b.syllables.resize(2); }, "table ia64_instruction has 2 rows, instruction has 3: row for row",
       "itanium2"},
      {[](Block& b) { b.ia64_requests[1].owner = 3; }, "table ia64_request: row 1 names instruction 3 of 3",
       "itanium2"},
      {[](Block& b) { b.instructions[2].slot = 3; }, "table instruction: row 2 is in slot 3; 0 to 2", "itanium2"},
      {[](Block& b) { b.requests[1].thread = 2; }, "table request: row 1 is of thread 2; 0 or 1"},
      {late_access, "table access: row 0 in cycle 1100: accesses are sorted by cycle and within the block"},
      {early_access, "1 accesses and 0 occurrences of register_access: each has both"}};
  for (const Row& row : rows) {
    Block block;
    block.begin = 1000;
    block.end = 1100;
    block.instructions.resize(3);
    block.requests.resize(2);
    if (row.target == std::string("itanium2")) {
      block.syllables.resize(3);
      block.ia64_requests.resize(2);
    }
    row.change(block);
    const auto problems = problems_of(row.target, {block});
    if (row.problem.empty()) {
      EXPECT_THAT(problems, IsEmpty());
    } else {
      EXPECT_THAT(problems, ElementsAre("block 0: " + row.problem));
    }
  }
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

// Every cut and every changed byte is reported with its position, and the undamaged blocks before it are kept.

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<Block>& blocks() {
  static const std::vector<Block> list = random_blocks("itanium2", 7, 3);
  return list;
}
const std::string& sample() {
  static const std::string file = file_of(blocks(), "itanium2");
  return file;
}
std::size_t first_block() { return sample().find(block_tag); }

void expect_prefix(const Got& got) {
  ASSERT_LE(got.blocks.size(), blocks().size());
  for (std::size_t i = 0; i < got.blocks.size(); ++i) ASSERT_TRUE(same(got.blocks[i], blocks()[i]));
}

TEST(Damage, CutAnywhere) {
  std::size_t most = 0;
  const std::size_t step = 37 * sampling;
  for (std::size_t size = 1; size < sample().size(); size += size < first_block() ? step : 7 * sampling) {
    const std::string part = sample().substr(0, size);
    const Got got = read(part), salvaged = read(part, true);
    EXPECT_THAT(got.defect, AllOf(StartsWith("f.pma: byte " + std::to_string(size) + ": "), HasSubstr("was cut")));
    expect_prefix(salvaged);
    EXPECT_EQ(salvaged.defect, got.defect);
    EXPECT_GE(salvaged.blocks.size(), most) << size;  // more bytes, never fewer blocks
    most = salvaged.blocks.size();
  }
  EXPECT_EQ(most, blocks().size());
}

TEST(Damage, ChangedByte) {
  std::size_t changes = 0, without_effect = 0;
  for (std::size_t at = 0; at < sample().size(); at += at < first_block() ? 101 * sampling : 11 * sampling) {
    std::string file = sample();
    file[at] = static_cast<char>(file[at] ^ (1 << at % 8));
    const Got got = read(file);
    // A few bits of a zstd frame have no effect on what it unpacks to. Then the checksum holds and the file is whole.
    if (got.defect.empty()) {
      EXPECT_EQ(got.blocks.size(), blocks().size()) << at;
      expect_prefix(got);
      ++without_effect;
    } else {
      EXPECT_THAT(got.defect, StartsWith("f.pma: byte ")) << at;
    }
    ++changes;
    expect_prefix(read(file, true));
  }
  EXPECT_LT(without_effect * 100, changes);
}

TEST(Damage, BytesBehindTheEnd) {
  EXPECT_THAT(read(sample() + 'x').defect, HasSubstr("bytes after the end"));
  EXPECT_EQ(read(sample() + 'x', true).blocks.size(), blocks().size());
}

TEST(Damage, OtherFiles) {
  EXPECT_EQ(read("no such thing as this one").defect, "f.pma: byte 0: not a .pma file: it begins with other bytes");
  std::string next = sample();
  next[version_at] = 2;
  EXPECT_EQ(
      read(next).defect,
      "f.pma: byte 8: format version 2 is not known; this program reads version 1; expected a later pmusim, or the "
      "activity recorded again by this one");
}

/// Payloads with right checksums that no writer produces: false sizes must neither be believed nor cost memory.
TEST(Damage, WrongPayloadsWithRightChecksums) {
  const Description description = describe("athlon");
  const auto defect_of = [&](const std::string& payload) {
    Description own = description;
    own.properties.set("target", "athlon");
    std::string file = file_of(std::vector<Block>{}, own);
    file.resize(file.find(trace::index_tag));
    BlockHeader header;
    header.raw_size = header.packed_size = static_cast<std::uint32_t>(payload.size());
    header.end = 10;
    header.crc = trace::crc32(trace::crc32(0, std::string_view(encode(header)).substr(0, block_checked_size)), payload);
    trace::IndexSum sum;
    const std::uint64_t at = file.size();
    file += std::string(block_tag) + encode(header) + payload;
    const std::string entries = sum.add(at, 0);
    file += trace::index_bytes(entries, sum, 10, file.size(), end_mark);
    return read(file).defect;
  };
  const auto numbers = [](std::initializer_list<std::uint64_t> list) {
    std::string out;
    for (const std::uint64_t number : list) trace::put_varint(out, number);
    return out;
  };
  const std::uint64_t huge = std::uint64_t{1} << 60;
  EXPECT_EQ(defect_of(numbers({0, 0, 0})), "");
  EXPECT_THAT(defect_of(numbers({0, 0, 0, 0})), HasSubstr("1 bytes after the last table"));
  EXPECT_THAT(defect_of(numbers({1, 200})),
              HasSubstr("signal 200; the header names " + std::to_string(activity::signal_count)));
  EXPECT_THAT(defect_of(numbers({1, 6, huge})), HasSubstr("occurrences; at most"));
  EXPECT_THAT(defect_of(numbers({1, 6, 2, 9})), HasSubstr("column mode 9 is not known"));
  EXPECT_THAT(defect_of(numbers({1, 6, 1000, 1, 1, 2})),
              HasSubstr("a column of 1000 entries is longer than the payload"));
  EXPECT_THAT(defect_of(numbers({1, 6, 1, 0, huge, 0, 1, 0, 0, 0, 0})),
              HasSubstr("signal retire: cycle of occurrence 0: 1152921504606846976 is above 4294967295"));
  EXPECT_THAT(defect_of(numbers({1, 6, 1, 0, 0, 0, 70000, 0, 0, 0, 0})), HasSubstr("amount of occurrence 0: 70000"));
  EXPECT_THAT(defect_of(numbers({2, 6, 1, 0, 0, 0, 1, 0, 0, 0, 0, 6})), HasSubstr("signal retire: a second time"));
  EXPECT_THAT(defect_of(numbers({0, 0, 1, 0, 4'000'000'000})), HasSubstr("rows; at most"));
  EXPECT_THAT(defect_of(numbers({0, 0, 1, 77, 1})), HasSubstr("table 77; the header names 6"));
}

}  // namespace

}  // namespace pmusim::activity_file::test
