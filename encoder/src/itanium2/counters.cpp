#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dispatch.h"
#include "registers.h"

namespace pmusim::encoder::itanium2 {
namespace {

using ia64::CounterInput;
using ia64::Failed;
using ia64::Row;
using ia64::RunInput;

/// True for the L2 sets in which each counter uses its own unit mask. In the other sets all use the unit mask of PMC4.
bool own_umasks(int l2_set) { return l2_set == 1 || l2_set == 2; }

Failed check_sets(const RunInput& in) {
  for (std::size_t i = 0; i < in.events.size(); ++i)
    for (std::size_t j = i + 1; j < in.events.size(); ++j) {
      const Row& first = *in.events[i].row;
      const Row& second = *in.events[j].row;
      if (first.wires.group == 0 || first.wires.group != second.wires.group) continue;
      if (first.wires.set != second.wires.set)
        return Error{ErrorCode::event_set_conflict,
                     fmt::format("{} and {} belong to sets {} and {} of the {} cache events, of which one can be "
                                 "counted at a time",
                                 first.name, second.name, first.wires.set, second.wires.set,
                                 first.wires.group == kL1Group ? "L1" : "L2")};
      if (first.wires.group == kL2Group && !own_umasks(first.wires.set) && second.umask != 0 &&
          second.umask != first.umask)
        return Error{ErrorCode::no_assignment,
                     fmt::format("{} and {} share the unit mask of PMC4 and need different ones; count them in "
                                 "separate runs",
                                 first.name, second.name)};
    }
  return std::nullopt;
}

/// Refuses more than one event of the three families of cancelled OZQ issues.
Failed check_cancels(const RunInput& in) {
  const Row* before = nullptr;
  for (const CounterInput& event : in.events) {
    const unsigned code = event.row->code;
    if (code != 0xa0 && code != 0xac && code != 0xa8) continue;
    if (before)
      return Error{ErrorCode::bad_value,
                   fmt::format("{} and {}: of the L2_OZQ_CANCELS events one can be counted at a time", before->name,
                               event.row->name)};
    before = event.row;
  }
  return std::nullopt;
}

/// A search for a placement. `chosen_` has the PMC number of each event, 0 for none yet.
class Placement {
 public:
  explicit Placement(const RunInput& in) : in_(in), chosen_(in.events.size()) {}

  bool search(std::size_t event = 0) {
    if (event == chosen_.size()) return legal();
    for (unsigned pmc = kFirstCounter; pmc < kFirstCounter + kCounters; ++pmc) {
      if (!allowed(event, pmc)) continue;
      chosen_[event] = pmc;
      if (search(event + 1)) return true;
      chosen_[event] = 0;
    }
    return false;
  }
  [[nodiscard]] const std::vector<unsigned>& chosen() const { return chosen_; }

 private:
  [[nodiscard]] bool allowed(std::size_t event, unsigned pmc) const {
    const Row& row = *in_.events[event].row;
    const bool anywhere = in_.quirks.has(ia64::Quirk::cancel_anywhere) && row.code == 0xb0 && row.umask == 0xb;
    return (anywhere || (row.counters >> (pmc - kFirstCounter) & 1) != 0) && !(in_.unavailable >> pmc & 1) &&
           std::find(chosen_.begin(), chosen_.end(), pmc) == chosen_.end();
  }
  [[nodiscard]] const Row* on(unsigned pmc) const {
    const auto found = std::find(chosen_.begin(), chosen_.end(), pmc);
    return found == chosen_.end() ? nullptr : in_.events[static_cast<std::size_t>(found - chosen_.begin())].row;
  }
  /// True if there are events of `group`, but none of them on `pmc`.
  [[nodiscard]] bool misses(std::uint8_t group, unsigned pmc) const {
    const Row* there = on(pmc);
    return std::any_of(in_.events.begin(), in_.events.end(),
                       [&](const CounterInput& event) { return event.row->wires.group == group; }) &&
           (!there || there->wires.group != group);
  }
  /// Checks a complete placement. One counter selects the set of a cache group: PMC4 for L2, PMC5 for L1.
  [[nodiscard]] bool legal() const {
    if (misses(kL2Group, 4) || misses(kL1Group, 5)) return false;
    const Row* chooser = on(4);
    if (!chooser || chooser->wires.group != kL2Group || own_umasks(chooser->wires.set)) return true;
    return std::all_of(in_.events.begin(), in_.events.end(), [&](const CounterInput& event) {
      const Row& row = *event.row;
      return row.wires.group != kL2Group || row.umask == 0 || row.umask == chooser->umask;
    });
  }

  const RunInput& in_;
  std::vector<unsigned> chosen_;
};

Error no_place(const RunInput& in) {
  std::vector<std::string_view> names;
  for (const CounterInput& event : in.events) names.push_back(event.row->name);
  return {ErrorCode::no_assignment,
          fmt::format("no placement on the available counters for {}: some events count only on PMC4, an L2 cache "
                      "event must be on PMC4 and an L1 cache event on PMC5; count them in separate runs",
                      fmt::join(names, ", "))};
}

}  // namespace

Result<std::vector<unsigned>> place_counters(const RunInput& in) {
  if (in.events.size() > kCounters)
    return Error{ErrorCode::too_many_events,
                 fmt::format("{} events asked, but there are {} counters", in.events.size(), kCounters)};
  if (auto failed = check_sets(in)) return *std::move(failed);
  if (auto failed = check_cancels(in)) return *std::move(failed);
  Placement placement(in);
  if (!placement.search()) return no_place(in);
  return placement.chosen();
}

std::uint64_t counter_control(const RunInput& in, const CounterInput& event) {
  return field::plm.put(event.levels) | field::oi.put(event.interrupt) |
         field::pm.put(in.system_wide || event.privileged) | field::es.put(event.row->code) |
         field::umask.put(event.row->counter_umask()) | field::threshold.put(event.threshold) |
         field::ism.put(event.instruction_set);
}

}  // namespace pmusim::encoder::itanium2
