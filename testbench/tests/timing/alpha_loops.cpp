// Clocks of the loops in alpha_loops.txt.
#include "alpha_loops.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "alpha_assembly.h"
#include "bench.h"
#include "loops.h"

namespace pmusim::timing {

using alpha::Step;

namespace {

constexpr std::uint64_t first_address = 0x10000;
constexpr unsigned vector_bytes = 1024;  ///< vectors stay in the Dcache

/// Vectors of different registers share no block and no place in a direct mapped Dcache of 8 KB.
std::uint64_t vector_of(unsigned base) { return 0x40000 + std::uint64_t{base} * 0x10400; }

}  // namespace

double alpha_turn(const Chip& chip, const std::vector<Step>& steps, int step, const std::string& keys) {
  return chip.each([&](unsigned n) {
    Code code;
    for (unsigned turn = 0; turn < n; ++turn) {
      const unsigned moved = (static_cast<unsigned>(step) * turn) % vector_bytes;
      for (const Step& s : steps) {
        if (&s == &steps.back()) break;
        if (s.access == ' ') {
          code.op(s.word);
        } else {
          const std::uint64_t place = (vector_bytes + moved + static_cast<unsigned>(s.displacement)) % vector_bytes;
          code.op(s.word, fmt::format("{} {:x} 8", s.access, vector_of(s.base) + place), keys);
        }
      }
      code.go(steps.back().word, first_address);
    }
    return code.op("1f04ff47").text();  // bis r31,r31,r31
  });
}

Measures alpha_loops(std::string_view target) {
  const auto chip = std::make_shared<const Chip>(target);
  return loop_measures(target, "alpha_loops.txt", [chip](const LoopText& loop) {
    return alpha_turn(*chip, alpha::assemble(loop.lines), loop.step, "dtlb=hit") / loop.parts;
  });
}

}  // namespace pmusim::timing
