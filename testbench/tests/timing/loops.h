// Loops that others timed on the chips, by instruction mix: read from a text file for each family.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measures.h"

namespace pmusim::timing {

/// A loop of the file: lines of the family's notation.
struct LoopText {
  std::string name;
  double parts = 1;  ///< what a turn of the loop processes: limbs, products
  int step = 0;      ///< bytes by which the addresses advance in a turn
  std::vector<std::string> lines;
};

/// Reads testbench/tests/timing/<file>: `loop NAME parts=N step=BYTES`, then an instruction a line. Lines that begin
/// with # are comments. Throws std::runtime_error with file and line.
[[nodiscard]] std::vector<LoopText> read_loops(const std::string& file);

/// A loop's clocks per part: set by the family.
using LoopClocks = std::function<double(const LoopText& loop)>;
/// Measurements of the loops that have a reference (kind `loop`, class is the loop's name) for the target.
[[nodiscard]] Measures loop_measures(std::string_view target, const std::string& file, const LoopClocks& clocks);

}  // namespace pmusim::timing
