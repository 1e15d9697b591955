// The folder of the data that come with pmusim.
#pragma once

#include <filesystem>

namespace pmusim::testbench {

/// The folder of the shipped data: $PMUSIM_DATA, or the nearest share/pmusim beside or above this program or library,
/// which an installation and a build folder have. Throws UsageError if there is none.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace pmusim::testbench
