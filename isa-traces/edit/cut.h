#pragma once

#include <cstdint>

#include "pieces.h"

namespace pmusim::trace::edit {

/// Instructions from `begin` (0: the first) up to `end`, which is not one of them. What directives before them have
/// established comes first. Returns how many there were.
std::uint64_t cut(Source& source, std::uint64_t begin, std::uint64_t end, Writer& writer);

}  // namespace pmusim::trace::edit
