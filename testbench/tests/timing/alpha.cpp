#include "alpha.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>

#include "bench.h"
#include "measures.h"
#include "testbench/tests/core_alpha/words.h"
#include "testbench/tests/patterns.h"

namespace pmusim::timing::alpha {
namespace {

namespace words = testbench::alpha;

double nest(const Chip& chip, unsigned depth) {
  constexpr std::uint64_t start = 0x10000, apart = 0x100;
  constexpr int from_call_to_call = (apart - 4) / 4;
  return chip.each(
      [&](unsigned n) {
        Code code;
        for (; n != 0; --n) {
          for (unsigned i = 1; i <= depth; ++i) code.go(words::bsr(26, from_call_to_call), start + apart * i);
          // A ret for each call, then the branch back to the start.
          for (unsigned i = depth; i != 0; --i) code.go(words::ret(26), start + apart * (i - 1) + 4);
          code.go(words::br(-2), start);
        }
        return code.op(words::nop()).text();
      },
      8);
}

}  // namespace

Lines lines(unsigned first, unsigned count, const std::function<std::string(unsigned)>& word) {
  Lines all;
  for (unsigned c = first; c < first + count; ++c) all.push_back({word(c)});
  return all;
}

Programs programs_of(std::string_view target) { return {target, {words::ldq(1, 1), 8}}; }

Clocks return_stack(const Programs& chip) {
  constexpr double least_penalty = 3;
  return
      [chip] { return timing::return_stack([&](unsigned depth) { return nest(chip.chip(), depth); }, least_penalty); };
}

}  // namespace pmusim::timing::alpha

// Clocks of the loops in alpha_loops.txt.
namespace pmusim::timing {

namespace {

constexpr std::uint64_t first_address = 0x10000;
constexpr unsigned vector_bytes = 1024;  ///< vectors stay in the Dcache

/// Vectors of different registers share no block and no place in a direct mapped Dcache of 8 KB.
std::uint64_t vector_of(unsigned base) { return 0x40000 + std::uint64_t{base} * 0x10400; }

/// The access of an instruction in the first turn.
struct Access {
  std::string direction;
  std::uint64_t vector = 0;
  unsigned displacement = 0;
  [[nodiscard]] std::string text(unsigned moved) const {
    return fmt::format("{} {:x} 8", direction, vector + (vector_bytes + moved + displacement) % vector_bytes);
  }
};

std::optional<Access> access_of(const std::string& line) {
  static const Pattern memory(R"(^(ld|st)q [^,]*,(-?[0-9]+)\(\$([0-9]+)\)$)");
  const Match found = memory.first_in(line);
  if (found.empty()) return std::nullopt;
  return Access{found[1] == "ld" ? "L" : "S", vector_of(static_cast<unsigned>(std::stoul(found[3]))),
                static_cast<unsigned>(std::stoi(found[2]))};
}

/// Clocks of a turn; addresses advance by the loop's step in a turn, wrapping around in a KB.
double alpha_turn(const Chip& chip, const LoopText& loop) {
  std::vector<std::optional<Access>> accesses;
  for (const std::string& line : loop.lines) accesses.push_back(access_of(line));
  return chip.each([&](unsigned n) {
    Code code;
    for (unsigned turn = 0; turn < n; ++turn) {
      const unsigned moved = (static_cast<unsigned>(loop.step) * turn) % vector_bytes;
      for (std::size_t i = 1; i + 1 < loop.lines.size(); ++i) {
        const auto& access = accesses[i];
        code.op(loop.encodings[i], access ? access->text(moved) : "", access ? "dtlb=hit" : "");
      }
      code.go(loop.encodings.back(), first_address);
    }
    return code.op(testbench::alpha::nop()).text();
  });
}

}  // namespace

Measures alpha_loops(std::string_view target) {
  const auto chip = std::make_shared<const Chip>(target);
  const auto clocks = [chip](const LoopText& loop) { return alpha_turn(*chip, loop) / loop.parts; };
  return loop_measures(target, "alpha_loops.txt", clocks, "alpha-linux-gnu", "-mev67 --no-warn");
}

}  // namespace pmusim::timing
