// pmusim-capture ISA PROGRAM OUTPUT [ARGUMENT...]: records a program, for scripts/record-traces. The trace contains the
// names of the program.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>

#include "capture.h"
#include "pmusim/trace/numbering.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto isa = words.empty() ? std::nullopt : pmusim::trace::isa_by_name(words[0]);
  if (words.size() < 3 || !isa) {
    fmt::print(stderr, "usage: pmusim-capture ppc|i386|alpha|ia64 PROGRAM OUTPUT [ARGUMENT...]\n");
    return 2;
  }
  constexpr std::uint64_t most = 1'000'000'000;
  try {
    const auto result =
        pmusim::trace::capture(*isa, words[1], {words.begin() + 3, words.end()}, words[2], most, {}, true);
    fmt::print("{} {}, exit status {}\n", result.instructions, pmusim::trace::unit_of(*isa), result.exit_status);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pmusim-capture: {}\n", error.what());
    return 2;
  }
}
