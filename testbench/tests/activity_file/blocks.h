// Blocks for the tests of activity files: random blocks, and blocks from a core.
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

/// Compares all fields of all records.
[[nodiscard]] ::testing::AssertionResult same(const Block& a, const Block& b);
/// Consecutive blocks of a target's family that obey every rule of activity.
[[nodiscard]] std::vector<Block> random_blocks(std::string_view target, unsigned seed, unsigned count);
/// The contents of an activity file with these blocks.
[[nodiscard]] std::string file_of(const std::vector<Block>& blocks, std::string_view target);
/// Writes the given description instead of the program's own.
[[nodiscard]] std::string file_of(const std::vector<Block>& blocks, const Description& description);
/// All blocks that a reader returns, and the message of its error or, when salvaging, of the damage.
struct Got {
  std::vector<Block> blocks;
  std::string defect;
};
[[nodiscard]] Got read(const std::string& file, bool salvage = false);

}  // namespace pmusim::activity_file::test
