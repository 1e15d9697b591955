// A long trace with a mixture of everything, determined by its seed: loads and stores of all kinds that overlap in few
// lines, semaphores, fences, branches, calls with large frames, snoops and errors.
#pragma once

#include "code.h"

namespace pmusim::testbench::ia64 {

/// A fixed sequence of pseudo-random numbers.
class Sequence {
 public:
  explicit Sequence(unsigned seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  std::uint64_t below(std::uint64_t n) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

struct Mix {
  unsigned seed = 1;
  unsigned bundles = 1000;
  std::uint64_t bytes = 0x8000;  ///< size of the data that is accessed
  bool forced_fetch = true;      ///< every fetch hits; otherwise the misses depend on the size of the code
  bool code_stores = false;      ///< some stores go to the code
  bool outside = true;           ///< snoops, other agents, errors
};
Script mixture(const Mix& mix);

}  // namespace pmusim::testbench::ia64
