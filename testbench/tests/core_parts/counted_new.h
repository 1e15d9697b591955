#pragma once

#include <cstddef>

namespace pmusim {
/// The number of allocations by the program.
extern std::size_t allocations;
}  // namespace pmusim
