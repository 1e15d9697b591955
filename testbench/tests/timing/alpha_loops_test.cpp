// Loops of real programs on the Alphas, by instruction mix: clocks per iteration, as given by their authors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "alpha.h"
#include "testbench/tests/core_alpha/words.h"

namespace pmusim::timing {
namespace {

using namespace alpha;             // NOLINT
using namespace testbench::alpha;  // NOLINT

/// An instruction of a loop: its encoding, and its access in the first iteration.
struct Step {
  std::string word;
  char access = ' ';  ///< L or S
  std::uint64_t address = 0;
};
using Loop = std::vector<Step>;

constexpr std::uint64_t first = 0x10000;

/// Clocks of an iteration; accesses advance by `step` bytes, wrapping around in a KB. The last instruction is a taken
/// branch.
double iteration(const Chip& chip, const Loop& loop, std::uint64_t step, const std::string& keys) {
  return chip.each([&](unsigned n) {
    Code code;
    for (unsigned i = 0; i < n; ++i) {
      for (const auto& [word, access, address] : loop) {
        if (&word == &loop.back().word) break;
        const std::uint64_t moved = address + i * step % 1024;
        code.op(word, access == ' ' ? "" : fmt::format("{} {:x} 8", access, moved), access == ' ' ? "" : keys);
      }
      code.go(loop.back().word, first);
    }
    return code.op(nop()).text();
  });
}

// mpn_mul_1 of the GNU MP library in its form for any Alpha: a vector times a 64-bit number. A product of two halves, a
// load and a store for each 64 bits. mpn/alpha/mul_1.asm: 42 clocks on the 21064, 18 on the 21164, 7 on the 21264.
Loop multiply_vector() {
  const unsigned limb = 2, low = 3, high = 4, carry = 5, to = 16, from = 17, count = 18, by = 19;
  return {
      {mulq(limb, by, low)},          {addq(high, carry, carry)}, {lda(count, count, -1)}, {umulh(limb, by, high)},
      {ldq(limb, from), 'L', 0x4000}, {lda(from, from, 8)},       {addq(low, carry, low)}, {stq(low, to), 'S', 0x8000},
      {cmpult(low, carry, carry)},    {lda(to, to, 8)},           {bne(count, -11)},
  };
}

// Four quadwords per iteration, 13 instructions in blocks of four. Anderson et al., "Continuous Profiling", SOSP 1997:
// at best 8 clocks on the 21164. No load reads a stored location, so that the stores miss the Dcache.
Loop copy() {
  const unsigned from = 2, to = 3, done = 1, all = 21;
  return {
      {ldq(5, from), 'L', 0x4000},
      {lda(done, done, 4)},
      {ldq(6, from), 'L', 0x4008},
      {ldq(7, from), 'L', 0x4010},
      {ldq(16, from), 'L', 0x4018},
      {lda(from, from, 32)},
      {stq(5, to), 'S', 0x8000},
      {cmpult(done, all, 5)},
      {stq(6, to), 'S', 0x8008},
      {stq(7, to), 'S', 0x8010},
      {stq(16, to), 'S', 0x8018},
      {lda(to, to, 32)},
      {bne(5, -13)},
  };
}

constexpr auto forced = "dtlb=hit data=l1";

TEST(AlphaLoops, ProductOfAVectorAndANumber) {
  for (const auto& [target, clocks] : {std::pair{"alpha-ev4", 42.0}, {"alpha-ev5", 18.0}, {"alpha-pca56", 18.0}}) {
    EXPECT_DOUBLE_EQ(iteration(Chip(target), multiply_vector(), 8, forced), clocks) << target;
  }
}

// The carry passes through three operations per iteration. No document explains why this takes seven clocks on silicon:
// docs/targets/alpha-core-ev6.md.
TEST(AlphaLoops, ProductOfAVectorAndANumberOutOfOrder) {
  for (const char* const target : {"alpha-ev6", "alpha-ev67"}) {
    const double clocks = iteration(Chip(target), multiply_vector(), 8, forced);
    EXPECT_GE(clocks, 3) << target;
    EXPECT_LE(clocks, 7) << target;
  }
}

// With umulh every 8 clocks, as in GCC, the 21164 would take 8 + 8.
TEST(AlphaLoops, ProductWithTheIntervalOfGcc) {
  EXPECT_DOUBLE_EQ(iteration(Chip("alpha-ev5", {{"core.umulh_interval", 8}}), multiply_vector(), 8, forced), 16);
}

TEST(AlphaLoops, CopyOfThirteenInstructionsInEightClocks) {
  EXPECT_DOUBLE_EQ(iteration(Chip("alpha-ev5"), copy(), 32, "dtlb=hit"), 8);
}

}  // namespace
}  // namespace pmusim::timing
