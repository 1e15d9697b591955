// Decoding for instruction sets whose instructions all have four bytes.
#pragma once

#include <algorithm>
#include <span>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// The first row of a table that `matches` the word of an instruction; null if there is none, or if the code does not
/// have four bytes.
template <class Row, class Matches>
[[nodiscard]] const Row* find_row(std::span<const Row> rows, const Code& code, std::uint32_t word, Matches matches) {
  if (code.length != 4) return nullptr;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return matches(r, word); });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace pmusim::trace
