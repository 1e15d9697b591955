// Just enough of the ELF header to say before the run that a program cannot be recorded, and what it needs.
#pragma once

#include <filesystem>
#include <string>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Throws CaptureError unless the file is a Linux executable for the ISA. Returns the folder in which the emulator
/// finds its dynamic linker and libraries: `sysroot` if that is given, else the one of Debian's cross-compiling C
/// library, else
/// `/`; empty for a statically linked program. Throws CaptureError naming the package where there is none.
[[nodiscard]] std::string check_program(Isa isa, const std::filesystem::path& program,
                                        const std::filesystem::path& sysroot = {});

}  // namespace pmusim::trace
