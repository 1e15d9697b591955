#include "lines.h"

#include <fmt/format.h>

#include <cstdint>

namespace pmusim::perturbation {
namespace {

using pmu::Line;

template <class Enum>
Enum next_of(Enum value) {
  return static_cast<Enum>((static_cast<unsigned>(value) + 1) % static_cast<unsigned>(Enum::count_));
}

/// Bits of a signal's detail that form a number: without one of them the line would also match numbers that do not
/// exist.
std::uint16_t number_bits(activity::Signal signal) {
  using activity::Signal;
  namespace d = activity::detail;
  switch (signal) {
    case Signal::segment_load:
    case Signal::l2_array:
      return 7;
    case Signal::bus_request:
      return d::bus_type_mask;
    case Signal::line_fill:
      return 7 << d::fill_found_shift | 7 << d::fill_installed_shift;
    case Signal::line_evict:
      return d::cache_mask | 7 << d::evict_state_shift;
    default:
      return 0;
  }
}

class Changes {
 public:
  explicit Changes(const Line& line) : line_(line) {}

  template <class Change>
  void add(std::string name, Change change) {
    OtherLine& other = list.emplace_back(OtherLine{std::move(name), line_});
    change(other.line);
  }
  /// Adds the change for each bit of a set.
  template <class Set, class Change>
  void for_each_bit(std::string_view name, Set set, Change change) {
    for (Set bit = 1; bit != 0 && bit <= set; bit = static_cast<Set>(bit << 1)) {
      if ((set & bit) != 0) add(fmt::format("{} {:#x}", name, bit), [&](Line& l) { change(l, bit); });
    }
  }
  std::vector<OtherLine> list;

 private:
  const Line& line_;
};

void change_occurrences(const Line& line, Changes& changes) {
  using Bits = std::uint16_t;
  changes.add("the next signal", [](Line& l) { l.signal = next_of(l.signal); });
  changes.for_each_bit("detail turned round", line.mask, [](Line& l, Bits bit) { l.value ^= bit; });
  const auto flags = static_cast<Bits>(line.mask & ~number_bits(line.signal));
  changes.for_each_bit("detail ignored", flags, [](Line& l, Bits bit) {
    l.mask &= static_cast<Bits>(~bit);
    l.value &= static_cast<Bits>(~bit);
  });
  changes.for_each_bit("alternative dropped", line.any, [](Line& l, Bits bit) { l.any &= static_cast<Bits>(~bit); });
  changes.for_each_bit("trait dropped", line.has, [](Line& l, std::uint32_t bit) { l.has &= ~bit; });
  changes.for_each_bit("trait let in", line.lacks, [](Line& l, std::uint32_t bit) { l.lacks &= ~bit; });
  if (line.test != nullptr) changes.add("the test ignored", [](Line& l) { l.test = nullptr; });
}

void change_level(const Line& line, Changes& changes) {
  using Bits = std::uint64_t;
  changes.add("the next state", [](Line& l) { l.state = next_of(l.state); });
  changes.add("turned round", [](Line& l) { l.when_clear = !l.when_clear; });
  if (line.level_mask == ~Bits{0}) return changes.add("bit 0 ignored", [](Line& l) { l.level_mask &= ~Bits{1}; });
  changes.for_each_bit("cause dropped", line.level_mask, [](Line& l, Bits bit) { l.level_mask &= ~bit; });
  changes.add("the next causes", [](Line& l) { l.level_mask <<= 1; });
}

}  // namespace

std::vector<OtherLine> other_lines(const Line& line) {
  Changes changes(line);
  if (line.is_level()) {
    change_level(line, changes);
  } else if (line.signal != activity::Signal::count_) {
    change_occurrences(line, changes);
  } else {
    changes.add("connected to segment loads", [](Line& l) { l.signal = activity::Signal::segment_load; });
  }
  return changes.list;
}

}  // namespace pmusim::perturbation
