// What the list models of the Alphas are made of: lists of lines, pages and return addresses, and counters that
// saturate. They share no code with the cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace pmusim::testbench::alpha::lists {

/// States of a line, with the numbers of activity's details.
enum class Held : std::uint8_t { invalid = 0, shared = 1, exclusive = 2, modified = 4 };
inline char letter(Held state) { return "ISE?M"[static_cast<unsigned>(state)]; }

/// A cache: for each set the lines that it holds, the most recently used one first.
class LineList {
 public:
  struct Line {
    std::uint64_t address;
    Held state;
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
  [[nodiscard]] Held state(std::uint64_t address) {
    const Line* const l = find(address);
    return l == nullptr ? Held::invalid : l->state;
  }
  /// It is used: it comes first in its set.
  void use(std::uint64_t address) {
    std::vector<Line>& set = set_of(address);
    const auto at = std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.address == line_of(address); });
    if (at != set.end()) std::rotate(set.begin(), at, at + 1);
  }
  /// Puts a line that is not there first in its set. The last of a full set leaves.
  std::optional<Line> put(std::uint64_t address, Held state) {
    std::vector<Line>& set = set_of(address);
    std::optional<Line> victim;
    if (set.size() == ways_) {
      victim = set.back();
      set.pop_back();
    }
    set.insert(set.begin(), {line_of(address), state});
    return victim;
  }
  /// Takes a line out.
  std::optional<Line> take(std::uint64_t address) {
    const Line* const l = find(address);
    if (l == nullptr) return std::nullopt;
    const Line taken = *l;
    std::erase_if(set_of(address), [&](const Line& other) { return other.address == taken.address; });
    return taken;
  }
  void clear() {
    for (std::vector<Line>& set : sets_) set.clear();
  }

 private:
  std::uint64_t ways_, line_;
  std::vector<std::vector<Line>> sets_;
};

/// A translation buffer: the page that leaves next is the last.
class PageList {
 public:
  /// `in_turn`: a use does not change the order (21264); else the least recently used one leaves.
  PageList(std::uint64_t entries, bool in_turn) : entries_(entries), in_turn_(in_turn) {}
  /// True if it has the page, which is used.
  bool use(std::uint64_t page) {
    const auto at = std::find(pages_.begin(), pages_.end(), page);
    if (at == pages_.end()) return false;
    if (!in_turn_) std::rotate(pages_.begin(), at, at + 1);
    return true;
  }
  /// Puts a page in that is not there.
  void put(std::uint64_t page) {
    if (pages_.size() == entries_) pages_.pop_back();
    pages_.insert(pages_.begin(), page);
  }

 private:
  std::uint64_t entries_;
  bool in_turn_;
  std::vector<std::uint64_t> pages_;
};

/// A counter between 0 and a highest value that follows outcomes.
struct Counter {
  unsigned value = 0, highest = 3;
  [[nodiscard]] bool upper_half() const { return value > highest / 2; }
  void follow(bool up) {
    if (up) {
      value = std::min(value + 1, highest);
    } else if (value != 0) {
      --value;
    }
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

}  // namespace pmusim::testbench::alpha::lists
