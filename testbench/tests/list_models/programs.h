// The recorded programs that the list models follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {

/// True if the programs are not the recorded ones, which together have everything that the models know.
[[nodiscard]] inline bool programs_are_given() { return std::getenv("PMUSIM_PROGRAMS") != nullptr; }

/// The recorded programs of an instruction set (`i386`, `ppc`, `alpha`, `ia64`) of at most `longest` instructions,
/// sorted by name. Those of the folder $PMUSIM_PROGRAMS, of any length, if it is set (scripts/larger-programs).
[[nodiscard]] inline std::vector<std::filesystem::path> recorded_programs(std::string_view isa,
                                                                          std::uint64_t longest = longest_program) {
  const char* const given = std::getenv("PMUSIM_PROGRAMS");
  const std::filesystem::path folder = given != nullptr ? given : PMUSIM_SOURCE_DIR "/isa-traces/recorded";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& file = entry.path();
    if (!file.filename().string().starts_with(std::string(isa) + '-') || file.extension() != ".pmt") continue;
    if (given == nullptr && trace::open(file)->info().instructions > std::min(longest, longest_program)) continue;
    files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace pmusim::testbench
