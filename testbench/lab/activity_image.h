// Activity as bytes embedded in the page: the memory of a run's blocks, field by field over all records of a table, so
// that gzip finds repetitions. Writer and reader are from the same build; this is no file format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::lab {

[[nodiscard]] std::string image_of(const std::vector<activity::Block>& blocks);
/// Throws std::invalid_argument for bytes that image_of() has not produced, or produced with other record layouts.
[[nodiscard]] std::vector<activity::Block> blocks_of(std::string_view image);

}  // namespace pmusim::lab
