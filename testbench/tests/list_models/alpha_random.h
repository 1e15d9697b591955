// Random programs for small caches: loads and stores that meet in few sets, code over the ends of pages, calls that do
// not always return, barriers, and commands of the system.
#pragma once

#include <cstdint>
#include <string>

namespace pmusim::testbench::alpha::lists {

struct Mixture {
  std::uint64_t seed = 1;
  unsigned instructions = 20'000;
  unsigned command_in = 0;  ///< a system command before every n-th instruction; 0: none
  std::uint64_t data_bytes = 0x8000, code_bytes = 0x6000;
};

/// The text of a trace. A word stands at its address; outcomes and addresses are random.
[[nodiscard]] std::string random_program(const Mixture& mixture);

}  // namespace pmusim::testbench::alpha::lists
