#include "alpha.h"

#include <fmt/format.h>

#include "testbench/tests/core_alpha/words.h"

namespace pmusim::timing::alpha {
namespace {

namespace words = testbench::alpha;

/// ldq r1,0(r1), once for each address.
std::string loads(const std::vector<std::uint64_t>& addresses, const std::string& keys) {
  Code code;
  for (const std::uint64_t address : addresses) code.op(words::ldq(1, 1), fmt::format("L {:x} 8", address), keys);
  return code.text();
}
Walk walk_with(const Chip& chip, const std::string& keys) {
  return Walk(chip, [keys](const auto& addresses) { return loads(addresses, keys); });
}

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

double Programs::group(const Lines& lines, unsigned times) const {
  return chip_->each(
      [&](unsigned n) {
        Code code;
        for (; n != 0; --n) {
          for (const auto& [word, accesses, keys] : lines) code.op(word, accesses, keys);
        }
        return code.text();
      },
      times);
}

Clocks Programs::repeated(const Lines& lines, unsigned times) const {
  return [*this, lines, times] { return group(lines, times); };
}

Clocks Programs::stream(const Lines& lines) const {
  return [*this, lines] { return group(lines) / static_cast<double>(lines.size()); };
}

Clocks Programs::more(const Lines& without, const Lines& with) const {
  return [*this, without, with] { return group(with) - group(without); };
}

Clocks Programs::walk(unsigned bytes, unsigned apart) const {
  return [*this, bytes, apart] { return walk_with(chip(), "dtlb=hit").load(bytes / apart, apart); };
}

Clocks Programs::fit(unsigned apart, unsigned few, unsigned most, double unit) const {
  return [*this, apart, few, most, unit] { return walk_with(chip(), "dtlb=hit").fit(apart, few, most) * unit; };
}

Clocks Programs::pages(unsigned most) const {
  constexpr std::uint64_t page = 8192;
  return [*this, most] { return walk_with(chip(), "data=l1").fit(page, 1, most); };
}

Clocks Programs::return_stack() const {
  return [*this] {
    const double least_penalty = 3, level = nest(chip(), 3) - nest(chip(), 2);
    return largest(
        2, 64, [&](unsigned depth) { return nest(chip(), depth) - nest(chip(), depth - 1) < level + least_penalty; });
  };
}

}  // namespace pmusim::timing::alpha
