// Just enough of the ELF header to say before the run that a program cannot be recorded.
#pragma once

#include <filesystem>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Throws CaptureError unless the file is a statically linked Linux executable for the ISA.
void check_program(Isa isa, const std::filesystem::path& program);

}  // namespace pmusim::trace
