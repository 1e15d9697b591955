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

}  // namespace pmusim::timing
