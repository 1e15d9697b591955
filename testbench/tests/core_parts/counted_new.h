#pragma once

#include <cstddef>

namespace pmusim {
/// How often the program has asked for memory.
extern std::size_t allocations;
}  // namespace pmusim
