// Functions and lines of a program, from its ELF file's symbols and its DWARF.
#pragma once

#include <filesystem>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/names.h"

namespace pmusim::trace {

/// Of a program at fixed addresses; DWARF may be in a file of its own, which is found as debuggers find it. Without
/// symbols or lines there are none. Throws CaptureError for what is no ELF file of the instruction set.
[[nodiscard]] ProgramNames elf_names(const std::filesystem::path& program, Isa isa);

}  // namespace pmusim::trace
