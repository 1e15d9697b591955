// The files from which this program runs.
#pragma once

#include <filesystem>

namespace pmusim::testbench {

/// The file of the running program. Where /proc is not mounted, the name under which it was started. Empty if neither
/// leads to a file.
[[nodiscard]] std::filesystem::path program_file();
/// The file that contains this code: the program, or the library of an interpreter's module.
[[nodiscard]] std::filesystem::path code_file();
/// A name under which the content of code_file() can be read, even if another file has taken its name since.
[[nodiscard]] std::filesystem::path readable_code_file();

}  // namespace pmusim::testbench
