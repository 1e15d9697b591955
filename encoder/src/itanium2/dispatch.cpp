#include "dispatch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "encoder/src/ia64/dispatch.h"
#include "registers.h"

namespace pmusim::encoder::itanium2 {

namespace {

using ia64::CounterInput;
using ia64::Failed;
using ia64::Interval;
using ia64::RangeRegisters;
using ia64::Row;
using ia64::RunInput;
using ia64::RunOutput;
using ia64::Space;

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

/// The PMC number of each event on PMC4 to PMC7. Of all legal placements, the one with the lowest registers for the
/// first events.
Result<std::vector<unsigned>> place_counters(const RunInput& in) {
  if (auto failed = check_sets(in)) return *std::move(failed);
  if (auto failed = check_cancels(in)) return *std::move(failed);
  Placement placement(in);
  if (!placement.search()) return no_place(in);
  return placement.chosen();
}

/// Code of the events for retired instructions by tag channel.
constexpr std::uint8_t kRetiredInstructions = 0x08;

constexpr unsigned kInstructionEarData[] = {0, 1};
constexpr unsigned kDataEarData[] = {2, 3, 17};
constexpr unsigned kBufferData[] = {8, 9, 10, 11, 12, 13, 14, 15, 16};
/// 4 KiB. libpfm's mask has 32 bits; the hardware ignores it.
constexpr ia64::FinePage kFinePage{12, 0xfffff000};
constexpr ia64::UnitRegisters kUnits{.counters = kCounters,
                                     .instruction_ear = 10,
                                     .instruction_ear_data = kInstructionEarData,
                                     .data_ear = 11,
                                     .data_ear_data = kDataEarData,
                                     .code_ranges = 14,
                                     .data_ranges = 13,
                                     .fine_page = kFinePage,
                                     .matchers = {"8", "9"},
                                     .buffer = 12,
                                     .buffer_data = kBufferData,
                                     .buffer_name = "branch trace buffer"};

class Itanium2Dispatch final : public ia64::Dispatch {
 public:
  explicit Itanium2Dispatch(const Input& in) : Dispatch(in, kUnits), in_(in) {}

  Result<RunOutput> run() {
    using Self = Itanium2Dispatch;
    static constexpr Failed (Self::*order[])() = {
        &Self::checks,      &Self::counters,   &Self::instruction_ear, &Self::data_ear, &Self::code,        &Self::data,
        &Self::first_match, &Self::next_match, &Self::routing,         &Self::buffer,   &Self::second_range};
    return run_steps<Self>(order);
  }

 private:
  [[nodiscard]] Result<std::vector<unsigned>> place() const override { return place_counters(in_); }
  [[nodiscard]] std::uint64_t own_control(const CounterInput& event) const override {
    return field::ism.put(event.instruction_set);
  }
  [[nodiscard]] std::uint64_t instruction_ear_set(std::uint32_t set) const override { return field::iear_ism.put(set); }
  [[nodiscard]] std::uint64_t data_ear_set(std::uint32_t set) const override { return field::ism.put(set); }

  [[nodiscard]] Result<RangeRegisters> code_ranges(const std::vector<Interval>& intervals) override {
    auto ranges = fine_ ? fine_code(intervals) : coarse_code(intervals);
    if (!ranges) return ranges;
    if (auto failed = check_matchers(*ranges)) return *std::move(failed);
    if (!fine_)
      if (auto failed = check_channels(*ranges)) return *std::move(failed);
    return ranges;
  }

  /// Number of prefetch events. They use tag channel 1, all other events channel 0.
  [[nodiscard]] std::size_t prefetch_events() const {
    return static_cast<std::size_t>(std::count_if(in_.events.begin(), in_.events.end(), [](const CounterInput& event) {
      return event.row->code == 0x44 || event.row->code == 0x5f || event.row->code == 0x45;
    }));
  }

  [[nodiscard]] Result<RangeRegisters> fine_code(const std::vector<Interval>& intervals) const {
    const bool prefetch = prefetch_events() > 0;
    const std::size_t limit = prefetch ? 1 : 2;
    if (intervals.size() > limit)
      return Error{ErrorCode::too_many_code_ranges,
                   fmt::format("{} code ranges in fine mode, but {}at most {} fit the debug registers; the ranges may "
                               "be widened or fine mode switched off",
                               intervals.size(), prefetch ? "with prefetch events " : "", limit)};
    return ia64::fine_ranges(intervals, kFinePage, prefetch ? 1 : 0, in_.quirks);
  }

  [[nodiscard]] Result<RangeRegisters> coarse_code(const std::vector<Interval>& intervals) const {
    if (retired_only()) return ia64::pair_ranges(intervals, Space::code, in_.quirks);
    if (intervals.size() > 1)
      return Error{ErrorCode::too_many_code_ranges,
                   fmt::format("{} code ranges that do not fit fine mode: only the retired-instruction events can "
                               "have more than one, an event for each",
                               intervals.size())};
    const std::size_t prefetch = prefetch_events();
    if (prefetch > 0 && prefetch + retired_ != in_.events.size())
      return Error{ErrorCode::feature_conflict,
                   "under one code range prefetch events use debug register pair 1 and other events pair 0; count "
                   "them in separate runs"};
    return ia64::single_range(intervals.front(), prefetch > 0 ? 1 : 0, in_.quirks);
  }

  /// Checks runs with retired-instruction events only: each matcher works on the even or on the odd channels.
  [[nodiscard]] Failed check_matchers(const RangeRegisters& ranges) const {
    if (!retired_only()) return std::nullopt;
    const bool even = ranges.uses_pair(0) || ranges.uses_pair(2);
    const bool odd = ranges.uses_pair(1) || ranges.uses_pair(3);
    if ((!in_.pmc9.used || !even) && (!in_.pmc8.used || !odd)) return std::nullopt;
    return Error{ErrorCode::feature_conflict,
                 fmt::format("PMC{} matches opcodes on channels {}, but the code range uses others",
                             in_.pmc8.used && odd ? 8 : 9, in_.pmc8.used && odd ? "0 and 2" : "1 and 3")};
  }

  Failed data() { return add_data_ranges(in_.pmc8.used, in_.pmc9.used); }

  /// PMC8, which also enables and inverts the code range of channel 0.
  Failed first_match() {
    if (!in_.has_model || (!in_.pmc8.used && !in_.code.used)) return std::nullopt;
    std::uint64_t value = in_.pmc8.used ? in_.pmc8.value : kMatchEverything;
    value = field::ig_ad.set(value, !in_.code.used);
    value = field::inv.set(value, in_.code.used && in_.code.inverse);
    return add(8, field::bit2.set(value, 1));
  }

  Failed next_match() {
    if (!in_.has_model || !in_.pmc9.used) return std::nullopt;
    for (const CounterInput& event : in_.events)
      if (event.row->code != kRetiredInstructions)
        return Error{ErrorCode::feature_conflict,
                     fmt::format("PMC9 works on the retired-instruction events only, not on {}; use the first matcher",
                                 event.row->name)};
    std::uint64_t value = field::ig_ad.set(in_.pmc9.value, 1);
    value = field::inv.set(value, 0);
    return add(9, field::bit2.set(value, 1));
  }

  /// PMC15, which selects the channels that the matchers constrain.
  Failed routing() {
    if (!in_.has_model) return std::nullopt;
    const auto tagged = [&](unsigned channel) {
      return std::any_of(in_.events.begin(), in_.events.end(), [&](const CounterInput& event) {
        return event.row->name.starts_with("IA64_TAGGED_INST_RETIRED_") && event.row->umask == channel;
      });
    };
    std::uint64_t value = kNoRouting;
    const auto constrain = [&](bool used, unsigned low, unsigned high) {
      if (used && (tagged(low) || !tagged(high))) value &= ~(std::uint64_t{1} << low);
      if (used && (tagged(high) || !tagged(low))) value &= ~(std::uint64_t{1} << high);
    };
    constrain(in_.pmc8.used, 0, 2);
    constrain(in_.pmc9.used, 1, 3);
    return add(15, value);
  }

  const Input& in_;
};

}  // namespace

Result<RunOutput> dispatch(Input in) {
  in.matches_opcodes = in.pmc8.used || in.pmc9.used;
  return Itanium2Dispatch(in).run();
}

}  // namespace pmusim::encoder::itanium2
