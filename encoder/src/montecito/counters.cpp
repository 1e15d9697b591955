#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "dispatch.h"
#include "registers.h"

namespace pmusim::encoder::montecito {
namespace {

using ia64::CounterInput;
using ia64::Failed;
using ia64::Row;
using ia64::RunInput;

constexpr unsigned kL1dChooser = 5;
/// The first counter of each three selects the L2D set for all three.
constexpr std::array<std::array<unsigned, 3>, 2> kL2dCounters{{{4, 5, 8}, {6, 7, 9}}};

/// Code of ER_REJECT_ALL_L1_REQ and of L2D_OZQ_FULL_THIS, and the L2D set of the latter. On a counter that selects the
/// set, the code selects this set.
constexpr std::uint8_t kSharedCode = 0xbc;
constexpr int kSharedSet = 5;

constexpr std::uint32_t kEveryCounter = (1u << kCounters) - 1;

/// True for events of the two families of cancelled OZQ issues. A run may have only one of these.
bool is_cancel(const Row& row) { return row.code == 0xe0 || row.code == 0xe2; }

class Placement {
 public:
  explicit Placement(const RunInput& in) : in_(in), chosen_(in.events.size()) {
    available_ = std::uint64_t{kEveryCounter} << kFirstCounter & ~in.unavailable;
  }

  Failed run() {
    using Step = Failed (Placement::*)();
    static constexpr Step steps[] = {&Placement::check_l1d, &Placement::check_l2d, &Placement::check_cancels,
                                     &Placement::place_l1d, &Placement::place_l2d, &Placement::place_bound,
                                     &Placement::place_rest};
    for (const Step step : steps)
      if (auto failed = (this->*step)()) return failed;
    return std::nullopt;
  }
  [[nodiscard]] const std::vector<unsigned>& chosen() const { return chosen_; }

 private:
  [[nodiscard]] const Row& row(std::size_t event) const { return *in_.events[event].row; }
  [[nodiscard]] int set(const Row& row) const { return set_of(row, in_.quirks); }
  [[nodiscard]] int set(std::size_t event) const { return set(row(event)); }

  Failed check_l1d() {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (row(i).wires.group != kL1dGroup) continue;
      if (l1d_ && set(*l1d_) != set(i))
        return Error{ErrorCode::event_set_conflict,
                     fmt::format("{} and {} belong to sets {} and {} of the L1D events, of which one can be counted at "
                                 "a time",
                                 row(*l1d_).name, row(i).name, row(*l1d_).wires.set, row(i).wires.set)};
      l1d_ = i;
    }
    return std::nullopt;
  }

  Failed check_l2d() {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (row(i).wires.group != kL2dGroup) continue;
      if (std::find(l2d_sets_.begin(), l2d_sets_.end(), set(i)) != l2d_sets_.end()) continue;
      l2d_sets_.push_back(set(i));
      if (l2d_sets_.size() > kL2dCounters.size())
        return Error{ErrorCode::event_set_conflict,
                     fmt::format("{} belongs to a third set of the L2D events, of which two can be counted at a time "
                                 "(sets {})",
                                 row(i).name, fmt::join(l2d_sets_, ", "))};
    }
    return std::nullopt;
  }

  Failed check_cancels() {
    const auto is = [](const CounterInput& event) { return is_cancel(*event.row); };
    const auto first = std::find_if(in_.events.begin(), in_.events.end(), is);
    if (first == in_.events.end()) return std::nullopt;
    const auto second = std::find_if(first + 1, in_.events.end(), is);
    if (second == in_.events.end()) return std::nullopt;
    return Error{ErrorCode::bad_value, fmt::format("{} and {}: of the L2D_OZQ_CANCELS events one can be counted at a "
                                                   "time",
                                                   first->row->name, second->row->name)};
  }

  /// Of several L1D events the last one is on the counter that selects the set.
  Failed place_l1d() { return l1d_ ? place(*l1d_, 1ull << kL1dChooser) : std::nullopt; }

  /// Places up to three events of each set, in the order of the counters of the set. place_if() places the others.
  Failed place_l2d() {
    std::array<std::size_t, 2> placed{};
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (row(i).wires.group != kL2dGroup) continue;
      const std::size_t place_of_set = set(i) == l2d_sets_.front() ? 0 : 1;
      std::size_t& next = placed[place_of_set];
      if (next == kL2dCounters[place_of_set].size()) continue;
      if (auto failed = place(i, 1ull << kL2dCounters[place_of_set][next++])) return failed;
    }
    return std::nullopt;
  }

  Failed place_bound() {
    return place_if([](const Row& row) { return row.counters != kEveryCounter; });
  }
  Failed place_rest() {
    return place_if([](const Row&) { return true; });
  }

  Failed place_if(bool (*wanted)(const Row&)) {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (chosen_[i] != 0 || !wanted(row(i))) continue;
      if (auto failed = place(i, counters_for(row(i)))) return failed;
      // The second selecting counter (PMC6) also selects the set of PMC7 and PMC9.
      if (row(i).wires.group == kL2dGroup && chosen_[i] == kL2dCounters[1].front() && l2d_sets_.size() == 1)
        l2d_sets_.push_back(set(i));
    }
    return std::nullopt;
  }

  /// The counters for an event that place_l1d() and place_l2d() did not place: not those for which another set is
  /// selected, or on which the code belongs to another event.
  [[nodiscard]] std::uint64_t counters_for(const Row& row) const {
    std::uint64_t counters = std::uint64_t{row.counters} << kFirstCounter;
    const bool l2d = row.wires.group == kL2dGroup;
    const bool shares = !l2d && row.code == kSharedCode;
    if (!(l2d && !in_.quirks.has(ia64::Quirk::foreign_set)) &&
        !(shares && !in_.quirks.has(ia64::Quirk::reject_on_chooser)))
      return counters;
    for (std::size_t place = 0; place < kL2dCounters.size(); ++place) {
      const bool chosen = place < l2d_sets_.size();
      for (const unsigned number : kL2dCounters[place]) {
        const bool chooses = number == kL2dCounters[place].front();
        const bool fits = l2d ? (chosen ? l2d_sets_[place] == set(row) : chooses)
                              : !chooses && !(chosen && l2d_sets_[place] == kSharedSet);
        if (!fits) counters &= ~(1ull << number);
      }
    }
    return counters;
  }

  /// Places an event on the lowest available counter in `counters` (bit n is PMC n).
  Failed place(std::size_t event, std::uint64_t counters) {
    const std::uint64_t free = counters & available_;
    if (free == 0) return no_place(event, counters);
    chosen_[event] = static_cast<unsigned>(std::countr_zero(free));
    available_ &= ~(1ull << chosen_[event]);
    return std::nullopt;
  }

  [[nodiscard]] Error no_place(std::size_t event, std::uint64_t counters) const {
    std::vector<std::string> names;
    for (unsigned number = kFirstCounter; number < kFirstCounter + kCounters; ++number)
      if (counters >> number & 1) names.push_back(fmt::format("PMC{}", number));
    return {ErrorCode::no_assignment,
            fmt::format("{} needs {}{}, which {} taken or not available; count it in a run of its own", row(event).name,
                        names.size() > 1 ? "one of " : "", fmt::join(names, ", "), names.size() > 1 ? "are" : "is")};
  }

  const RunInput& in_;
  std::vector<unsigned> chosen_;  ///< PMC number of each event; 0: none yet
  std::uint64_t available_ = 0;   ///< one bit for each PMC
  std::optional<std::size_t> l1d_;
  std::vector<int> l2d_sets_;
};

}  // namespace

int set_of(const Row& row, ia64::Quirks quirks) {
  const bool lost = row.wires.set == kLostSet && quirks.has(ia64::Quirk::set_eight);
  return lost ? 0 : row.wires.set;
}

unsigned chooser_of(unsigned pmc) {
  for (const auto& counters : kL2dCounters)
    if (std::find(counters.begin(), counters.end(), pmc) != counters.end()) return counters.front();
  return 0;
}

Result<std::vector<unsigned>> place_counters(const RunInput& in) {
  Placement placement(in);
  if (auto failed = placement.run()) return *std::move(failed);
  return placement.chosen();
}

}  // namespace pmusim::encoder::montecito
