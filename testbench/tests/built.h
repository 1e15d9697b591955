// Where the programs of a test's own build lie, as seen from the folder of the test's program. Asked when the test
// runs, so that a sanitized build can take the objects of a plain one (scripts/cmake/PmusimTest.cmake).
#pragma once

#include <filesystem>
#include <string>

namespace pmusim {

inline std::string built(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

}  // namespace pmusim
