// Blocks for the tests of activity files: random ones, and those of a core.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity_file/reader.h"
#include "models/activity_file/writer.h"

namespace pmusim::activity_file::test {

using activity::Block;

/// The same in every field of every record.
[[nodiscard]] testing::AssertionResult same(const Block& a, const Block& b);
/// Blocks of a target's family that keep every rule, one after the other.
[[nodiscard]] std::vector<Block> random_blocks(std::string_view target, unsigned seed, unsigned count);
/// The file of these blocks.
[[nodiscard]] std::string file_of(const std::vector<Block>& blocks, std::string_view target);
/// Another description in place of the program's own.
[[nodiscard]] std::string file_of(const std::vector<Block>& blocks, const Description& description);
/// All blocks that a reader hands out; the message of its error, or of the damage when salvaging.
struct Got {
  std::vector<Block> blocks;
  std::string defect;
};
[[nodiscard]] Got read(const std::string& file, bool salvage = false);

}  // namespace pmusim::activity_file::test
