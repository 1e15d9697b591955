// Functions and lines of a program, from the symbols of its ELF file and its DWARF.
#pragma once

#include <filesystem>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/names.h"

namespace pmusim::trace {

/// The names of a program at fixed addresses; empty for other programs and without symbols and lines. DWARF may be in a
/// separate file, which is searched as by debuggers. Throws CaptureError if the file is not an ELF file of the
/// instruction set.
[[nodiscard]] ProgramNames elf_names(const std::filesystem::path& program, Isa isa);

}  // namespace pmusim::trace
