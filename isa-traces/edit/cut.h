#pragma once

#include <cstdint>

#include "pieces.h"

namespace pmusim::trace::edit {

/// Writes the instructions from `begin` (0: the first) up to, not including, `end` (numbering.h), after directives that
/// establish the state at `begin`. Returns the number of instructions.
std::uint64_t cut(Source& source, std::uint64_t begin, std::uint64_t end, Writer& writer);

}  // namespace pmusim::trace::edit
