// Lists of which the models of the Athlon are made: lines of a cache in the order of their use, pages of a TLB. They
// are written from the manual's words and share nothing with the cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/activity/signals.h"
#include "testbench/tests/list_models/lists.h"

namespace pmusim::testbench::athlon_lists {

using activity::LineState;

inline bool dirty(LineState state) { return state == LineState::modified || state == LineState::owned; }

/// A cache as lists: of each set its lines, the one used last in front. The last one of a full list gives way (22007E
/// p. 131: two-way set associative, least recently used).
class LineLists {
 public:
  struct Line {
    std::uint64_t number = 0;  ///< physical address / 64
    LineState state = LineState::invalid;
  };
  LineLists(std::size_t sets, std::size_t ways) : sets_(sets), ways_(ways) {}

  /// The line, or null, whatever set it is in.
  Line* find(std::uint64_t number) {
    const auto place = place_.find(number);
    if (place == place_.end()) return nullptr;
    auto& set = sets_[place->second];
    return &*std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.number == number; });
  }
  [[nodiscard]] bool holds(std::uint64_t number) const { return place_.count(number) != 0; }
  [[nodiscard]] LineState state(std::uint64_t number) {
    const Line* const line = find(number);
    return line == nullptr ? LineState::invalid : line->state;
  }
  /// Makes it the last used one.
  void use(std::uint64_t number) {
    auto& set = sets_[place_.at(number)];
    const auto at = std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.number == number; });
    std::rotate(set.begin(), at, at + 1);
  }
  /// True if it is where an access with this virtual line number looks.
  [[nodiscard]] bool holds(std::uint64_t number, std::uint64_t index) const {
    const auto place = place_.find(number);
    return place != place_.end() && place->second == index % sets_.size();
  }
  /// What has to leave before a line fits into the set of this index.
  [[nodiscard]] std::optional<Line> last_of(std::uint64_t index) const {
    const auto& set = sets_[index % sets_.size()];
    if (set.size() < ways_) return std::nullopt;
    return set.back();
  }
  /// As the last used one of its set. What was there leaves.
  std::optional<Line> add(std::uint64_t number, std::uint64_t index, LineState state) {
    if (Line* const line = find(number)) {
      line->state = state;
      use(number);
      return std::nullopt;
    }
    const auto gone = last_of(index);
    if (gone) remove(gone->number);
    const std::size_t set = index % sets_.size();
    sets_[set].insert(sets_[set].begin(), {number, state});
    place_[number] = set;
    return gone;
  }
  void remove(std::uint64_t number) {
    const auto place = place_.find(number);
    if (place == place_.end()) return;
    std::erase_if(sets_[place->second], [&](const Line& l) { return l.number == number; });
    place_.erase(place);
  }

 private:
  std::vector<std::vector<Line>> sets_;
  std::size_t ways_;
  std::unordered_map<std::uint64_t, std::size_t> place_;  ///< set of each line that is there
};

/// Two levels of TLB (22007E pp. 132, 134): what the second level has goes into the first, what a walk brings into
/// both.
class TwoLevelTlb {
 public:
  enum class Found { first, second, walk };
  TwoLevelTlb(std::size_t first, std::size_t second, std::size_t ways)
      : first_(1, first), second_(second / ways, ways) {}
  Found look_up(std::uint64_t page) {
    if (first_.use(page, page)) return Found::first;
    const bool in_second = second_.use(page, page);
    if (!in_second) second_.add(page, page);
    first_.add(page, page);
    return in_second ? Found::second : Found::walk;
  }
  void clear() {
    first_.clear();
    second_.clear();
  }

 private:
  list_models::UseLists first_, second_;
};

// Random i386 programs for small caches: short pieces of code in a few lines and pages, calls and returns that do not
// always match, data of a few lines that share sets, some of them also with code, and snoops.

struct RandomProgram {
  unsigned seed = 1;
  unsigned pieces = 400;    ///< executed
  bool snoops = false;      ///< by another agent, some while lines are under way
  bool answers = false;     ///< of the system that are not Exclusive, lines placed in other states
  bool aliases = false;     ///< two virtual pages in one physical page
  bool processes = false;   ///< changes of the process, which empty the TLBs
  unsigned data_pages = 2;  ///< pages of data
  unsigned code_pages = 3;  ///< pages of code
};

[[nodiscard]] std::string text_of(const RandomProgram& program);

}  // namespace pmusim::testbench::athlon_lists
