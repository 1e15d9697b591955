// Activity as bytes that the page carries: the blocks of a run as they lie in memory, field by field over all records
// of a table, so that gzip finds what repeats. Written and read by the same sources of one build; no file format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::lab {

[[nodiscard]] std::string image_of(const std::vector<activity::Block>& blocks);
/// Throws std::invalid_argument for bytes that image_of() has not made, or has made of other records.
[[nodiscard]] std::vector<activity::Block> blocks_of(std::string_view image);

}  // namespace pmusim::lab
