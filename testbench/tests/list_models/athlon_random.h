// Random i386 programs for small caches: short pieces of code in a few lines and pages, calls and returns that do not
// always match, data of a few lines that share sets, some of them also with code, and snoops.
#pragma once

#include <string>

namespace pmusim::testbench::athlon_lists {

struct RandomProgram {
  unsigned seed = 1;
  unsigned pieces = 400;    ///< executed
  bool snoops = false;      ///< by another agent, some while lines are under way
  bool answers = false;     ///< of the system that are not Exclusive, lines placed in other states
  bool aliases = false;     ///< two virtual pages in one physical page
  bool processes = false;   ///< changes of the process, which empty the TLBs
  unsigned data_pages = 2;  ///< pages of data
  unsigned code_pages = 3;  ///< pages of code
};

[[nodiscard]] std::string text_of(const RandomProgram& program);

}  // namespace pmusim::testbench::athlon_lists
