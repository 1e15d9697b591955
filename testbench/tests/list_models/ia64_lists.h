// What the list models of IA-64 cores are made of: lists of lines and of pages, the most recently used one first. They
// share no code with the cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pmusim::testbench::ia64::lists {

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
  LineList(std::uint64_t bytes, std::size_t ways, std::uint64_t line)
      : ways_(ways), line_(line), sets_(bytes / ways / line) {}

  [[nodiscard]] std::uint64_t line_bytes() const { return line_; }
  [[nodiscard]] std::uint64_t line_of(std::uint64_t address) const { return address / line_ * line_; }
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
  /// It is used: it becomes the first of its set.
  void use(std::uint64_t address) {
    std::vector<Line>& set = set_of(address);
    const auto at = std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.address == line_of(address); });
    if (at != set.end()) std::rotate(set.begin(), at, at + 1);
  }
  /// Puts a line in as the most recently used. The one that gives way is the last of the set.
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
  [[nodiscard]] std::string describe(std::uint64_t address);

 private:
  std::vector<Line>& set_of(std::uint64_t address) { return sets_[address / line_ % sets_.size()]; }
  std::size_t ways_;
  std::uint64_t line_;
  std::vector<std::vector<Line>> sets_;
};

/// A fully associative buffer of pages or granules: the most recently used one first.
class PageList {
 public:
  explicit PageList(std::size_t entries) : entries_(entries) {}
  /// True if it is there; then it is used.
  bool use(std::uint64_t page) {
    const auto at = places_.find(page);
    if (at == places_.end()) return false;
    pages_.splice(pages_.begin(), pages_, at->second);
    return true;
  }
  void put(std::uint64_t page) {
    if (use(page)) return;
    if (pages_.size() == entries_) {
      places_.erase(pages_.back());
      pages_.pop_back();
    }
    pages_.push_front(page);
    places_[page] = pages_.begin();
  }
  void clear() {
    pages_.clear();
    places_.clear();
  }

 private:
  std::size_t entries_;
  std::list<std::uint64_t> pages_;
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> places_;
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

}  // namespace pmusim::testbench::ia64::lists
