// The measurement of each figure: a table of class, kind and function for each target, one source file per family.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pmusim::timing {

struct Measure {
  std::string class_name, kind;
  std::function<double()> clocks;  ///< or bytes, ways, entries
};
using Measures = std::vector<Measure>;

// One source file each: athlon.cpp, ppc750gx.cpp, alpha_in_order.cpp, ...
Measures athlon();
Measures ppc750gx();
Measures alpha_in_order(std::string_view target);
Measures alpha_out_of_order(std::string_view target);
Measures ia64(std::string_view target);

/// The measurements of a target; empty for an unknown target.
Measures measures_of(std::string_view target);

// Loops that others timed on the chips, by instruction mix: read from a text file for each family.

/// A loop of the file, in assembly language.
struct LoopText {
  std::string name;
  double parts = 1;  ///< what a turn of the loop processes: limbs, products
  int step = 0;      ///< bytes by which the addresses advance in a turn
  std::vector<std::string> lines, encodings;
};

/// A loop's clocks per part: set by the family.
using LoopClocks = std::function<double(const LoopText& loop)>;
/// Measurements of the loops that have a reference (kind `loop`, class is the loop's name) for the target. The file:
/// `loop NAME parts=N step=BYTES`, `back = .`, then an instruction a line for binutils of the machine; # begins a
/// comment. Throws std::runtime_error with the file.
[[nodiscard]] Measures loop_measures(std::string_view target, const std::string& file, const LoopClocks& clocks,
                                     const std::string& machine, const std::string& options = "");

}  // namespace pmusim::timing
