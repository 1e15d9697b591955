// Path of a program of the test's own build, relative to the folder of the test's program. It is determined at run
// time, so that a sanitized build can use the object files of a plain one (scripts/cmake/PmusimTest.cmake).
#pragma once

#include <filesystem>
#include <string>

namespace pmusim {

inline std::string built(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

}  // namespace pmusim
