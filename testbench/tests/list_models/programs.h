// The recorded and the random programs that the list models follow.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/tests/block_log.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {

struct ListedProgram {
  std::string name;
  std::function<std::unique_ptr<trace::Reader>()> open;
};

/// True if the programs are not the recorded ones, which together have everything that the models know.
[[nodiscard]] inline bool programs_are_given() { return std::getenv("PMUSIM_PROGRAMS") != nullptr; }

/// The recorded programs of an instruction set (`i386`, `ppc`, `alpha`, `ia64`) of at most `longest` instructions,
/// sorted by name: the longest ones do the same over and over again, but the wide ones, of up to 400,000, fill whole
/// caches. One run of a core takes them; under other parameters the short ones, and the random ones, which do more in
/// fewer instructions. Those of the folder $PMUSIM_PROGRAMS, of any length, if it is set (scripts/larger-programs).
[[nodiscard]] inline std::vector<ListedProgram> recorded_programs(std::string_view isa,
                                                                  std::uint64_t longest = 100'000) {
  const char* const given = std::getenv("PMUSIM_PROGRAMS");
  const std::filesystem::path folder = given != nullptr ? given : PMUSIM_SOURCE_DIR "/isa-traces/recorded";
  std::vector<ListedProgram> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& file = entry.path();
    if (!file.filename().string().starts_with(std::string(isa) + '-') || file.extension() != ".pmt") continue;
    if (given == nullptr && trace::open(file)->info().instructions > std::min(longest, longest_program)) continue;
    found.push_back({file.stem().string(), [file] { return trace::open(file); }});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

/// The value of an operand of a directive, 0 if it has none.
inline std::string operand(const trace::Directive& directive, std::string_view key) {
  for (const auto& [name, value] : directive.operands) {
    if (name == key) return value;
  }
  return "0";
}
inline std::uint64_t address(const trace::Directive& directive, std::string_view key = "addr") {
  return std::stoull(operand(directive, key), nullptr, 16);
}

/// A number of random programs, fewer under a sanitizer: text_of() writes them.
template <class Random>
[[nodiscard]] std::vector<ListedProgram> random_programs(trace::Isa isa, Random program, unsigned number) {
  std::vector<ListedProgram> made;
  for (unsigned i = 0; i < std::max<unsigned>(number / static_cast<unsigned>(sampling), 1); ++i, ++program.seed) {
    made.push_back({fmt::format("random program {}", program.seed),
                    [text = text_of(program), isa] { return reader_of(text, isa); }});
  }
  return made;
}

/// Calls `each` for every program under all of these changes of the parameters.
template <class Each>
void for_each_run(const models::Parameters& parameters, const std::vector<Changes>& changes,
                  const std::vector<std::vector<ListedProgram>>& programs, Each each) {
  for (const auto& list : programs) {
    for (const Changes& set : changes) {
      const models::Parameters p = changed(parameters, set);
      for (const ListedProgram& program : list) each(program, p);
    }
  }
}

}  // namespace pmusim::testbench
