// Checks the ELF header before the run: whether the program can be recorded, and the libraries that it needs.
#pragma once

#include <filesystem>
#include <string>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Throws CaptureError unless the file is a Linux executable for the ISA. Returns the folder of its dynamic linker and
/// libraries: `sysroot` if given, else the folder of Debian's cross-compiling C library, else `/`; empty for a
/// statically linked program. If there is no such folder, throws CaptureError with the name of the package.
[[nodiscard]] std::string check_program(Isa isa, const std::filesystem::path& program,
                                        const std::filesystem::path& sysroot = {});

}  // namespace pmusim::trace
