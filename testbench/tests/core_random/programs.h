// Random programs as text traces: a loop whose instructions, operands, branches and disturbances are drawn.
#pragma once

#include <cstdint>
#include <string>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

struct RandomProgram {
  std::string text;
  std::uint64_t instructions = 0;  ///< of the program itself, interrupts included
};
/// The same for the same number.
[[nodiscard]] RandomProgram random_program(trace::Isa isa, std::uint64_t seed);

}  // namespace pmusim::testbench
