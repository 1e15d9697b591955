// Functions and lines of a program and its libraries, from the symbols of their ELF files and their DWARF.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/names.h"

namespace pmusim::trace {

/// Mask of the bits of an address.
[[nodiscard]] constexpr std::uint64_t all_of(Isa isa) {
  return isa == Isa::ppc || isa == Isa::i386 ? 0xffffffffu : ~std::uint64_t{0};
}

/// The names of a program or library that was loaded with `base` added to the addresses of its file; `files` has where
/// its code is. Without symbols and lines they are missing. DWARF may be in a separate file, which is searched as by
/// debuggers. Throws TraceError if the file is no regular file, and CaptureError if it is not an ELF file of the
/// instruction set.
[[nodiscard]] ProgramNames elf_names(const std::filesystem::path& program, Isa isa, std::uint64_t base = 0);

// Where the recorder has seen the code of a program and its libraries, and the names at these addresses.

/// The names of everything that ran, from the recorder's list of mappings. `notes` gets a line for each file whose
/// names or place cannot be found.
[[nodiscard]] ProgramNames names_of_run(const std::filesystem::path& program, Isa isa,
                                        const std::filesystem::path& mappings, std::vector<std::string>& notes);

/// The names of the files of one program, the program first, as a trace of it begins with.
[[nodiscard]] ProgramNames joined(std::vector<ProgramNames> of_files);

}  // namespace pmusim::trace
