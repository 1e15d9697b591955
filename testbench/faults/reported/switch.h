// Which fault of source_faults.txt is on. Only copies of sources in pmusim-seeded-defects look at it.
#pragma once

#include <string_view>

namespace pmusim {

inline std::string_view fault_on;  ///< its name; empty: none
[[nodiscard]] inline bool fault_is_on(std::string_view name) { return fault_on == name; }

}  // namespace pmusim
