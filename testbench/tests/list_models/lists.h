// Lists of which the models are made. They share no code with the cores.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pmusim::testbench::list_models {

/// States of a line, as activity spells them.
enum class Mesi : std::uint8_t { invalid = 0, shared = 1, exclusive = 2, modified = 4 };
inline char letter(Mesi state) { return "ISE?M"[static_cast<unsigned>(state)]; }

/// A cache: for each set the lines that it holds, the most recently used one first.
class LineList {
 public:
  struct Line {
    std::uint64_t address;
    Mesi state;
  };
  LineList(std::uint64_t bytes, std::uint64_t ways, std::uint64_t line)
      : ways_(ways), line_(line), sets_(bytes / ways / line) {}

  [[nodiscard]] std::uint64_t line_bytes() const { return line_; }
  [[nodiscard]] std::uint64_t line_of(std::uint64_t address) const { return address / line_ * line_; }
  /// The lines of the set of an address.
  [[nodiscard]] std::vector<Line>& set_of(std::uint64_t address) { return sets_[address / line_ % sets_.size()]; }
  /// The line of an address, or null.
  [[nodiscard]] Line* find(std::uint64_t address) {
    for (Line& l : set_of(address)) {
      if (l.address == line_of(address)) return &l;
    }
    return nullptr;
  }
  [[nodiscard]] Mesi state(std::uint64_t address) {
    const Line* const l = find(address);
    return l == nullptr ? Mesi::invalid : l->state;
  }
  /// It is used: it comes first in its set.
  void use(std::uint64_t address) {
    std::vector<Line>& set = set_of(address);
    const auto at = std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.address == line_of(address); });
    if (at != set.end()) std::rotate(set.begin(), at, at + 1);
  }
  /// Puts a line that is not there first in its set. The last of a full set leaves.
  std::optional<Line> put(std::uint64_t address, Mesi state) {
    std::vector<Line>& set = set_of(address);
    std::optional<Line> victim;
    if (set.size() == ways_) {
      victim = set.back();
      set.pop_back();
    }
    set.insert(set.begin(), {line_of(address), state});
    return victim;
  }
  /// Takes a line out and returns its state.
  Mesi take(std::uint64_t address) {
    const Mesi had = state(address);
    std::erase_if(set_of(address), [&](const Line& l) { return l.address == line_of(address); });
    return had;
  }
  /// The set of an address, for messages.
  [[nodiscard]] std::string describe(std::uint64_t address) {
    std::string text = "[";
    for (const Line& l : set_of(address)) text += fmt::format(" {:x}{}", l.address, letter(l.state));
    return text + " ]";
  }
  void clear() {
    for (std::vector<Line>& set : sets_) set.clear();
  }

 private:
  std::uint64_t ways_, line_;
  std::vector<std::vector<Line>> sets_;
};

/// Sets of pages or of other keys, each in the order of their use: the last one of a full set gives way. `in_turn`: in
/// the order in which they came.
class UseLists {
 public:
  UseLists(std::size_t sets, std::size_t ways, bool in_turn = false) : sets_(sets), ways_(ways), in_turn_(in_turn) {}
  /// Looks a key up in the set that `index` selects, which makes it the last used one.
  bool use(std::uint64_t index, std::uint64_t key) {
    auto& set = sets_[index % sets_.size()];
    const auto at = std::find(set.begin(), set.end(), key);
    if (at == set.end()) return false;
    if (!in_turn_) std::rotate(set.begin(), at, at + 1);
    return true;
  }
  /// Puts a key in that is not there.
  void add(std::uint64_t index, std::uint64_t key) {
    auto& set = sets_[index % sets_.size()];
    if (set.size() == ways_) set.pop_back();
    set.insert(set.begin(), key);
  }
  void clear() { sets_.assign(sets_.size(), {}); }

 private:
  std::vector<std::vector<std::uint64_t>> sets_;
  std::size_t ways_;
  bool in_turn_;
};

/// A counter between 0 and a highest value; an outcome moves it a step towards itself.
struct Counter {
  unsigned value = 0, highest = 3;
  [[nodiscard]] bool upper_half() const { return value > highest / 2; }
  void follow(bool up) {
    if (up ? value < highest : value > 0) value = up ? value + 1 : value - 1;
  }
};

/// Random numbers, the same in every run.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019) {}
  std::uint64_t below(std::uint64_t n) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

}  // namespace pmusim::testbench::list_models
