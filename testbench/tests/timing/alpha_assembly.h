// A small assembler for loops on the Alphas.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pmusim::timing::alpha {

/// An instruction of a loop: its encoding, and its access in the first iteration.
struct Step {
  std::string word;
  char access = ' ';  ///< L or S
  unsigned base = 0;  ///< register of the address
  int displacement = 0;
};

/// Assembles one instruction for each line: `addq 1 2 3`, `srl 1 #4 3`, `ldq 4 8(17)`, `subt f1 f2 f3`,
/// `bne 5` (to the first one). Throws std::runtime_error for a line that it does not know.
[[nodiscard]] std::vector<Step> assemble(const std::vector<std::string>& lines);

}  // namespace pmusim::timing::alpha
