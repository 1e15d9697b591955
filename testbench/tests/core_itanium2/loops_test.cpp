// Loops over multi-word numbers, with the instruction mixes of loops that the authors of GNU MP wrote for this
// processor and measured on it (mpn/ia64/README, lorrshift.asm, rsh1aors_n.asm): shifts take 1.0 cycles a word, half of
// a sum 1.5. The schedule is our own: a group a cycle, each register live for less than one iteration.
#include <fmt/format.h>

#include <functional>

#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

constexpr std::uint64_t destination = 0x6000000000002000, first_source = 0x6000000000004000,
                        second_source = 0x6000000000006000;

/// An access to a word of an array: the bundle of the loop, the slot, the kind, the array, the word of the iteration.
struct Use {
  unsigned bundle, slot;
  char kind;
  std::uint64_t array;
  unsigned word;
};

/// Cycles of an iteration of four words in the steady state, with all data in L1D.
double cycles_of(const std::vector<std::string>& bundles, const std::vector<Use>& uses) {
  constexpr unsigned iterations = 40, first = 20, words = 4, word_bytes = 8;
  Script s;
  const std::string load = bundle(stop(mmi), ld8 | r1(31) | r3(9), nop, nop);
  constexpr unsigned line = 64, bytes = iterations * words * word_bytes;
  for (const std::uint64_t array : {destination, first_source, second_source}) {
    for (unsigned at = 0; at < bytes; at += line) s.add(load, fmt::format("L0 {:x} 8", array + at)).repeat(300, nops);
  }
  while (s.pc() % 64 != 0) s.add(nops);
  const std::uint64_t loop = s.pc();
  std::vector<std::uint64_t> ids;
  for (unsigned i = 0; i < iterations; ++i) {
    for (unsigned b = 0; b < bundles.size(); ++b) {
      std::string accesses;
      for (const Use& use : uses) {
        if (use.bundle != b) continue;
        accesses += fmt::format("{}{}{} {:x} 8", accesses.empty() ? "" : " ", use.kind, use.slot,
                                use.array + (i * words + use.word) * word_bytes);
      }
      const bool last = b + 1 == bundles.size();
      if (last && i + 1 < iterations) {
        s.go(bundles[b], 2, loop, "", "xxx", accesses);
      } else {
        s.add(bundles[b], accesses);
      }
    }
  }
  const Record r = run(s.repeat(10, nops));
  std::vector<Cycle> starts;
  for (const LoggedOccurrence& h : r.of(Signal::dispatch)) {
    if (h.instruction.ip == loop && h.instruction.slot == 0) starts.push_back(h.cycle);
  }
  EXPECT_EQ(starts.size(), iterations);
  return static_cast<double>(starts.at(iterations - 1) - starts.at(first)) / (iterations - 1 - first);
}

TEST(Loops, ShiftsOfLongNumbersTakeACycleAWord) {
  // Shifts right by r30, left by r31 (64 minus r30). Word i is loaded in cycle i and shifted both ways two cycles later
  // (the left shift is the part of the word below); `or` follows in cycle i + 6, the store in i + 7.
  const auto x = [](unsigned i) { return 10 + i % 4; };
  const auto low = [](unsigned i) { return 14 + i % 4; };
  const auto high = [](unsigned i) { return 18 + i % 4; };
  const auto sum = [](unsigned i) { return 22 + i % 4; };
  std::vector<std::string> bundles;
  std::vector<Use> uses;
  for (unsigned k = 0; k < 4; ++k) {
    const Syllable store = st8_post | r2(sum(k + 3)) | r3(8), load = ld8_post | r1(x(k)) | r3(9),
                   both = or_ | r1(sum(k)) | r2(low(k)) | r3(high(k + 1)),
                   right = shr_u | r1(low(k)) | r3(x(k + 2)) | r2(30), left = shl | r1(high(k)) | r2(x(k + 2)) | r3(31);
    bundles.push_back(bundle(mmi, store, both, right));
    bundles.push_back(bundle(stop(mib), load, left, k == 3 ? br_cloop(-7 * 16) : nop_b));
    uses.push_back({2 * k, 0, 'S', destination, k});
    uses.push_back({2 * k + 1, 0, 'L', first_source, k});
  }
  EXPECT_DOUBLE_EQ(cycles_of(bundles, uses) / 4, 1.0);
}

TEST(Loops, HalfTheSumOfLongNumbersTakesOneAndAHalfCyclesAWord) {
  const auto u = [](unsigned i) { return 10 + i % 4; };
  const auto v = [](unsigned i) { return 14 + i % 4; };
  const auto a = [](unsigned i) { return 18 + i % 4; };
  const auto h = [](unsigned i) { return 22 + i % 4; };
  const auto carry = [](unsigned i) { return 6 + i % 4; };
  const auto load_u = [&](unsigned i) { return ld8_post | r1(u(i)) | r3(8); };
  const auto load_v = [&](unsigned i) { return ld8_post | r1(v(i)) | r3(9); };
  const auto store = [&](unsigned i) { return st8_post | r2(h(i)) | r3(7); };
  const auto plus = [&](unsigned i) { return add | r1(a(i)) | r2(u(i)) | r3(v(i)); };
  const auto less = [&](unsigned i) { return cmp_ltu | to_p(carry(i)) | r2(a(i)) | r3(u(i)); };
  // With a carry from the word below: determines whether this word carries as well, and adds one.
  const auto ones = [&](unsigned i) { return cmp_eq_or | to_p(carry(i)) | r2(a(i)) | r3(30) | qp(carry(i + 3)); };
  const auto more = [&](unsigned i) { return add | r1(a(i)) | r2(a(i)) | r3(29) | qp(carry(i + 3)); };
  const auto half = [&](unsigned i) { return shrp | Syllable{1} << 27 | r1(h(i)) | r2(a(i + 1)) | r3(a(i)); };
  // Word i begins in cycle 0, 1, 3 or 4; its sum follows a cycle later, then the carry, then the carry from below; its
  // half once the word above has its carry; then the store.
  std::vector<std::string> bundles;
  std::vector<Use> uses;
  for (const unsigned i : {0u, 2u}) {
    const auto at = static_cast<unsigned>(bundles.size());
    const unsigned below = i + 2;
    bundles.push_back(bundle(mmi, load_u(i), load_v(i), ones(below)));
    bundles.push_back(bundle(stop(mii), store(i), more(below), less(i + 3)));
    bundles.push_back(bundle(mmi, load_u(i + 1), load_v(i + 1), half(i + 1)));
    bundles.push_back(bundle(stop(mii), ones(below + 1), more(below + 1), plus(i)));
    bundles.push_back(bundle(mib, store(i + 1), half(i + 2), nop_b));
    bundles.push_back(bundle(stop(mib), less(i), plus(i + 1), i == 2 ? br_cloop(-11 * 16) : nop_b));
    for (const unsigned w : {0u, 1u}) {
      uses.push_back({at + 2 * w, 0, 'L', first_source, i + w});
      uses.push_back({at + 2 * w, 1, 'L', second_source, i + w});
    }
    uses.push_back({at + 1, 0, 'S', destination, i});
    uses.push_back({at + 4, 0, 'S', destination, i + 1});
  }
  EXPECT_DOUBLE_EQ(cycles_of(bundles, uses) / 4, 1.5);
}

}  // namespace
}  // namespace pmusim::testbench::ia64
