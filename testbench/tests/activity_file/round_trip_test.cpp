// Activity that is written and read back must be unchanged.
#include <gtest/gtest.h>

#include <algorithm>

#include "blocks.h"
#include "models/activity_file/column.h"
#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/activity_file_source.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/scratch.h"

namespace pmusim::activity_file::test {
namespace {

/// A target and a micro-trace that covers many features of its family.
struct Program {
  const char* target;
  const char* trace;
};
constexpr Program programs[] = {{"athlon", "athlon.pmt/branches"},       {"ppc750gx", "ppc750gx.pmt/ordering"},
                                {"itanium2", "itanium2.pmt/levels"},     {"montecito", "itanium2.pmt/levels"},
                                {"alpha-ev4", "alpha.pmt/branches"},     {"alpha-ev5", "alpha.pmt/branches"},
                                {"alpha-pca56", "alpha.pmt/arithmetic"}, {"alpha-ev6", "alpha.pmt/branches"},
                                {"alpha-ev67", "alpha.pmt/arithmetic"}};

std::filesystem::path micro(const char* name) {
  return std::filesystem::path(PMUSIM_SOURCE_DIR) / "isa-traces/micro" / name;
}

TEST(RoundTrip, RandomBlocksOfEveryFamily) {
  for (const char* target : {"athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev4", "alpha-ev67"}) {
    for (unsigned seed = 1; seed <= 20; seed += static_cast<unsigned>(sampling)) {
      const auto blocks = random_blocks(target, seed, 5);
      const Got got = read(file_of(blocks, target));
      EXPECT_EQ(got.defect, "");
      ASSERT_EQ(got.blocks.size(), blocks.size());
      for (std::size_t i = 0; i < blocks.size(); ++i)
        EXPECT_TRUE(same(got.blocks[i], blocks[i])) << target << ' ' << seed;
    }
  }
}

TEST(RoundTrip, EmptyAndLongBlocks) {
  std::vector<Block> blocks(3);
  blocks[0].end = blocks[1].begin = 1;
  blocks[1].end = blocks[2].begin = 0x7fff'0000;
  blocks[2].end = 0x7fff'0001;
  const Got got = read(file_of(blocks, "athlon"));
  EXPECT_EQ(got.defect, "");
  ASSERT_EQ(got.blocks.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(same(got.blocks[i], blocks[i]));
  EXPECT_TRUE(read(file_of({}, "athlon")).blocks.empty());
}

/// The activity of each core is the same with and without a file.
TEST(RoundTrip, ActivityOfEveryTarget) {
  const testbench::Scratch scratch;
  for (const Program& program : programs) {
    const models::Target& target = *models::find_target(program.target);
    const models::Parameters parameters = target.parameters();
    const auto core = [&] { return target.make_core(trace::open(micro(program.trace)), parameters); };
    testbench::CoreSource source(core(), {}, false);
    Properties properties;
    properties.set("target", program.target);
    Writer writer(scratch / "a.pma", properties);
    std::vector<Block> blocks;
    while (const Block* const block = source.next(700)) {
      blocks.push_back(*block);
      writer.write(*block, {source.instructions_of(0), source.instructions_of(1)});
    }
    writer.close();
    testbench::ActivityFileSource from_file(std::make_unique<Reader>(scratch / "a.pma"));
    for (const Block& block : blocks) {
      const Block* const read = from_file.next(1);
      ASSERT_NE(read, nullptr) << program.target;
      ASSERT_TRUE(same(*read, block)) << program.target;
    }
    EXPECT_EQ(from_file.next(1), nullptr);
    EXPECT_EQ(from_file.instructions(), source.instructions());
    EXPECT_GT(from_file.instructions(), 4u);
    EXPECT_EQ(from_file.now(), blocks.back().end);
  }
}

}  // namespace
}  // namespace pmusim::activity_file::test

// Columns of an activity file are in their shortest form. The bytes are worked out by hand from the format.
namespace pmusim::activity_file {
namespace {

enum : unsigned char { same, plain, differences };

/// The column, written in a type of this width, if its numbers fit.
template <class Number>
std::string written(const Numbers& values) {
  const std::vector<Number> narrow(values.begin(), values.end());
  if (!std::equal(values.begin(), values.end(), narrow.begin())) return written<std::uint64_t>(values);
  Payload out;
  out.put_text("before");
  put_column(out, std::span<const Number>(narrow));
  return std::string(out.bytes().substr(1));
}

TEST(Column, HasItsShortestForm) {
  struct Row {
    Numbers values;
    std::basic_string<unsigned char> bytes;
  };
  const Row rows[] = {
      {{5, 5, 5}, {same, 5}},
      {{127, 0}, {plain, 127, 0}},
      {{60, 120, 180}, {differences, 120, 120, 120}},             // 60 each, twice that in zigzag order
      {{128, 129, 128}, {differences, 0x80, 0x02, 2, 1}},         // 256, then 1 and -1
      {{63, 127, 191}, {plain, 63, 127, 0xbf, 0x01}},             // a difference of 64 has two bytes
      {{60, 0, 128}, {plain, 60, 0, 0x80, 0x01}},                 // four bytes either way
      {{0, 1, 300, 299}, {differences, 0, 2, 0xd6, 0x04, 0x01}},  // 299 is 598 in zigzag order
      {{256, 300, 310}, {differences, 0x80, 0x04, 88, 20}},       // 512, then 44 and 10
      {{130, 128, 127}, {differences, 0x84, 0x02, 3, 1}},         // 260, then -2 and -1
      {{100, 128}, {plain, 100, 0x80, 0x01}},                     // three bytes either way
      // In their own width, these steps would wrap to small ones.
      {{10, 250, 10}, {plain, 10, 0xfa, 0x01, 10}},
      {{0xffff, 0, 0xffff}, {plain, 0xff, 0xff, 0x03, 0, 0xff, 0xff, 0x03}},
      // 2^32 in zigzag order, then 400 and 399
      {{0x80000000, 0x800000c8, 0x80000000}, {differences, 0x80, 0x80, 0x80, 0x80, 0x10, 0x90, 0x03, 0x8f, 0x03}},
      {{0xffffffff, 0, 300}, {plain, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0xac, 0x02}},
  };
  for (const Row& row : rows) {
    const std::string out = written<std::uint64_t>(row.values);
    EXPECT_EQ(out, "before" + std::string(row.bytes.begin(), row.bytes.end())) << ::testing::PrintToString(row.values);
    EXPECT_EQ(out, written<std::uint32_t>(row.values));
    EXPECT_EQ(out, written<std::uint16_t>(row.values));
    EXPECT_EQ(out, written<std::uint8_t>(row.values));
    trace::ByteCursor from(std::string_view(out).substr(6));
    Numbers read;
    get_column(from, row.values.size(), read);
    EXPECT_EQ(read, row.values);
    EXPECT_EQ(from.left(), 0u);
  }
}

}  // namespace
}  // namespace pmusim::activity_file
