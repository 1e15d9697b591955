// Where the recorder has seen the code of a program and its libraries, and the names at these addresses.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/names.h"

namespace pmusim::trace {

/// The names of everything that ran, from the recorder's list of mappings. `notes` gets a line for each file whose
/// names or place cannot be found.
[[nodiscard]] ProgramNames names_of_run(const std::filesystem::path& program, Isa isa,
                                        const std::filesystem::path& mappings, std::vector<std::string>& notes);

/// The names of the files of one program, the program first, as a trace of it begins with.
[[nodiscard]] ProgramNames joined(std::vector<ProgramNames> of_files);

}  // namespace pmusim::trace
