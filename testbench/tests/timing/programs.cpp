#include "programs.h"

#include <fmt/format.h>

namespace pmusim::timing {

Walk Programs::walk_with(const std::string& keys) const {
  return Walk(chip(), [start = start_, load = load_, keys](const auto& addresses) {
    Code code = start;
    for (const std::uint64_t address : addresses)
      code.op(load.bytes, fmt::format("L {:x} {}", address, load.size), keys);
    return code.text();
  });
}

double Programs::group(const Lines& lines, unsigned times) const {
  return chip().each(
      [&](unsigned n) {
        Code code = start_;
        for (; n != 0; --n) {
          for (const auto& [bytes, accesses, keys] : lines)
            code.op(bytes, accesses, keys.empty() && !accesses.empty() ? hits : keys);
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
  return [*this, bytes, apart] { return walk_with("dtlb=hit").load(bytes / apart, apart); };
}

Clocks Programs::fit(unsigned apart, unsigned few, unsigned most, double unit) const {
  return [*this, apart, few, most, unit] { return walk_with("dtlb=hit").fit(apart, few, most) * unit; };
}

Clocks Programs::line(unsigned bytes) const {
  return [*this, bytes] { return walk_with("dtlb=hit").line(bytes); };
}

Clocks Programs::pages(std::uint64_t page, unsigned few, unsigned most) const {
  return [*this, page, few, most] { return walk_with("data=l1").fit(page, few, most); };
}

double return_stack(const std::function<double(unsigned depth)>& nest, double penalty) {
  const double level = nest(3) - nest(2);
  return largest(2, 64, [&](unsigned depth) { return nest(depth) - nest(depth - 1) < level + penalty; });
}

}  // namespace pmusim::timing
