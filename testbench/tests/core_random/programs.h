// Random programs as text traces: a loop with random instructions, operands, branches and disturbances.
#pragma once

#include <cstdint>
#include <string>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

struct RandomProgram {
  std::string text;
  std::uint64_t instructions = 0;  ///< of the program itself and of the interrupts in its trace
};
/// The same seed gives the same program.
[[nodiscard]] RandomProgram random_program(trace::Isa isa, std::uint64_t seed);

}  // namespace pmusim::testbench
