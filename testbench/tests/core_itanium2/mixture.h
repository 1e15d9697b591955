// A long trace of everything at once, the same for the same number: loads and stores of all kinds that meet each other
// in few lines, semaphores, fences, branches, calls with large frames, snoops and errors.
#pragma once

#include "code.h"

namespace pmusim::testbench::ia64 {

struct Mix {
  unsigned seed = 1;
  unsigned bundles = 1000;
  std::uint64_t bytes = 0x8000;  ///< data that is touched
  bool forced_fetch = true;      ///< every fetch hits; else the code is as large as it is long
  bool code_stores = false;      ///< some stores go to the code
  bool outside = true;           ///< snoops, other agents, errors
};
Script mixture(const Mix& mix);

}  // namespace pmusim::testbench::ia64
