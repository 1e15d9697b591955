// Random PowerPC programs for small caches: pieces of code in a few lines and pages, loads, stores and cache operations
// on blocks that share sets, calls, returns and jumps through CTR, and snoops.
#pragma once

#include <string>

namespace pmusim::testbench::ppc750_lists {

struct RandomProgram {
  unsigned seed = 1;
  unsigned pieces = 300;    ///< executed
  bool operations = false;  ///< dcbz, dcbf, dcbst, dcbi, dcbt, icbi
  bool snoops = false;      ///< by another agent, some while blocks are under way
  unsigned data_pages = 2;  ///< pages of data
  unsigned code_pages = 3;  ///< pages of code
};

[[nodiscard]] std::string text_of(const RandomProgram& program);

}  // namespace pmusim::testbench::ppc750_lists
