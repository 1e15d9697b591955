// Activity that is written and read back must be unchanged.
#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/activity_file_source.h"
#include "testbench/tests/activity_file/blocks.h"
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
