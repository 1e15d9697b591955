// The number of allocations by the program, which counted_new.cpp counts.
#pragma once

#include <cstddef>

namespace pmusim {

extern std::size_t allocations;

}  // namespace pmusim
