#include "dispatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "counters.h"
#include "registers.h"
#include "table.h"

namespace pmusim::encoder::itanium2 {
namespace {

using ia64::EarInput;
using ia64::EarMode;
using ia64::Failed;
using ia64::Interval;
using ia64::kPairs;
using ia64::RangeRegisters;
using ia64::RunOutput;
using ia64::Space;

/// 4 KiB. libpfm's mask has 32 bits; the hardware does not look at it.
constexpr ia64::FinePage kFinePage{12, 0xfffff000};

/// Retired instructions by tag channel.
constexpr std::uint8_t kRetiredInstructions = 0x08;

class Dispatch {
 public:
  explicit Dispatch(const Input& in) : in_(in), retired_(ia64::retired_events(in)) {}

  Result<RunOutput> run() {
    using Step = Failed (Dispatch::*)();
    static constexpr Step steps[] = {
        &Dispatch::checks, &Dispatch::counters,    &Dispatch::instruction_ear, &Dispatch::data_ear, &Dispatch::code,
        &Dispatch::data,   &Dispatch::first_match, &Dispatch::next_match,      &Dispatch::routing,  &Dispatch::buffer};
    for (const Step step : steps)
      if (auto failed = (this->*step)()) return *std::move(failed);
    return out_;
  }

 private:
  Failed checks() {
    if (auto failed = ia64::check_blocks(in_)) return failed;
    if (!in_.has_model) return std::nullopt;
    if (auto failed = ia64::check_filters(in_)) return failed;
    return ia64::check_range_levels(in_);
  }

  Failed counters() {
    const auto placed = place_counters(in_);
    if (!placed) return placed.error();
    for (std::size_t i = 0; i < in_.events.size(); ++i) {
      out_.controls.push_back({(*placed)[i], counter_control(in_, in_.events[i])});
      out_.data.push_back((*placed)[i]);
    }
    return std::nullopt;
  }

  Failed instruction_ear() {
    const auto setup = ia64::ear_setup(in_, false);
    if (!setup) return std::nullopt;
    std::uint64_t value = field::plm.put(setup->levels) | field::iear_pm.put(in_.system_wide) |
                          field::iear_ism.put(setup->instruction_set);
    switch (static_cast<EarMode>(setup->mode)) {
      case EarMode::tlb:
        value |= field::iear_tlb_umask.put(setup->umask);
        break;
      case EarMode::cache:
        value |= field::iear_cache_umask.put(setup->umask) | field::iear_ct.put(1);
        break;
      default:
        return ia64::bad_ear_mode("instruction", setup->mode, "cache or TLB");
    }
    if (auto failed = ia64::add_control(in_, 10, value, out_)) return failed;
    return read_back({0, 1});
  }

  Failed data_ear() {
    const auto setup = ia64::ear_setup(in_, true);
    if (!setup) return std::nullopt;
    if (setup->mode > static_cast<std::uint32_t>(EarMode::alat))
      return ia64::bad_ear_mode("data", setup->mode, "cache, TLB or ALAT");
    const std::uint64_t value = field::plm.put(setup->levels) | field::pm.put(in_.system_wide) |
                                field::dear_mode.put(setup->mode) | field::umask.put(setup->umask) |
                                field::ism.put(setup->instruction_set);
    if (auto failed = ia64::add_control(in_, 11, value, out_)) return failed;
    return read_back({2, 3, 17});
  }

  Failed code() {
    if (!in_.has_model || !in_.code.used) return std::nullopt;
    if (!in_.has_model_output) return ia64::no_place_for_registers();
    const auto intervals = ia64::intervals_of(in_.code, Space::code, in_.default_levels);
    if (!intervals) return intervals.error();
    const bool fine = !in_.code.no_fine && ia64::fits_fine(*intervals, kFinePage, in_.quirks);
    const auto ranges = fine ? fine_code(*intervals) : coarse_code(*intervals);
    if (!ranges) return ranges.error();
    out_.code_ranges = *ranges;
    std::uint64_t value = ia64::kUnconstrainedCode;
    for (unsigned pair = 0; pair < kPairs; ++pair)
      if (ranges->uses_pair(pair)) value &= ~(std::uint64_t{1} << ia64::code_pair_bit(pair));
    if (auto failed = check_channels(*ranges, fine)) return failed;
    fine_ = fine;
    return ia64::add_control(in_, 14, value | field::fine.put(fine), out_);
  }

  [[nodiscard]] bool retired_only() const { return retired_.count == in_.events.size(); }

  /// Events about prefetches are tagged by channel 1, all others by channel 0.
  [[nodiscard]] std::size_t prefetch_events() const {
    return static_cast<std::size_t>(
        std::count_if(in_.events.begin(), in_.events.end(), [](const ia64::CounterInput& event) {
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
    if (prefetch > 0 && prefetch + retired_.count != in_.events.size())
      return Error{ErrorCode::feature_conflict,
                   "under one code range prefetch events use debug register pair 1 and other events pair 0; count "
                   "them in separate runs"};
    return ia64::single_range(intervals.front(), prefetch > 0 ? 1 : 0, in_.quirks);
  }

  /// Retired instructions only: a matcher works on the even or odd channels, and each channel needs its own event.
  [[nodiscard]] Failed check_channels(const RangeRegisters& ranges, bool fine) const {
    if (!retired_only()) return std::nullopt;
    const bool even = ranges.uses_pair(0) || ranges.uses_pair(2);
    const bool odd = ranges.uses_pair(1) || ranges.uses_pair(3);
    if ((in_.pmc9.used && even) || (in_.pmc8.used && odd))
      return Error{ErrorCode::feature_conflict,
                   fmt::format("PMC{} matches opcodes on channels {}, but the code range uses others",
                               in_.pmc8.used && odd ? 8 : 9, in_.pmc8.used && odd ? "0 and 2" : "1 and 3")};
    if (fine) return std::nullopt;
    for (unsigned pair = 0; pair < kPairs; ++pair)
      if (ranges.uses_pair(pair) && !(retired_.channels >> pair & 1))
        return Error{ErrorCode::bad_code_range,
                     fmt::format("the code range uses debug register pair {}, but no event counts on channel {}: add "
                                 "IA64_TAGGED_INST_RETIRED_IBRP{}_PMC{}",
                                 pair, pair, pair, pair % 2 == 0 ? 8 : 9)};
    return std::nullopt;
  }

  Failed data() {
    if (!in_.has_model) return std::nullopt;
    const auto setup = ia64::data_ranges(in_, out_, fine_, in_.pmc8.used, in_.pmc9.used);
    if (!setup) return setup.error();
    if (!*setup) return std::nullopt;
    return ia64::add_control(in_, 13, **setup, out_);
  }

  /// PMC8, which also switches the code range of channel 0 on and inverts it.
  Failed first_match() {
    if (!in_.has_model || (!in_.pmc8.used && !in_.code.used)) return std::nullopt;
    std::uint64_t value = in_.pmc8.used ? in_.pmc8.value : kMatchEverything;
    value = field::ig_ad.set(value, !in_.code.used);
    value = field::inv.set(value, in_.code.used && in_.code.inverse);
    return ia64::add_control(in_, 8, field::bit2.set(value, 1), out_);
  }

  Failed next_match() {
    if (!in_.has_model || !in_.pmc9.used) return std::nullopt;
    for (const ia64::CounterInput& event : in_.events)
      if (event.row->code != kRetiredInstructions)
        return Error{ErrorCode::feature_conflict,
                     fmt::format("PMC9 works on the retired-instruction events only, not on {}; use the first matcher",
                                 event.row->name)};
    std::uint64_t value = field::ig_ad.set(in_.pmc9.value, 1);
    value = field::inv.set(value, 0);
    return ia64::add_control(in_, 9, field::bit2.set(value, 1), out_);
  }

  /// PMC15: which channels the matchers constrain.
  Failed routing() {
    if (!in_.has_model) return std::nullopt;
    const auto tagged = [&](unsigned channel) {
      return std::any_of(in_.events.begin(), in_.events.end(), [&](const ia64::CounterInput& event) {
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
    return ia64::add_control(in_, 15, value, out_);
  }

  Failed buffer() {
    const auto setup = ia64::buffer_setup(in_, "branch trace buffer");
    if (!setup) return setup.error();
    if (!*setup) return std::nullopt;
    if (auto failed = ia64::add_control(in_, 12, (*setup)->value, out_)) return failed;
    if (!(*setup)->records) return std::nullopt;
    return read_back({8, 9, 10, 11, 12, 13, 14, 15, 16});
  }

  Failed read_back(std::initializer_list<unsigned> pmds) {
    out_.data.insert(out_.data.end(), pmds);
    return std::nullopt;
  }
  const Input& in_;
  ia64::RetiredEvents retired_;
  RunOutput out_;
  bool fine_ = false;
};

}  // namespace

Result<RunOutput> dispatch(Input in) {
  in.matches_opcodes = in.pmc8.used || in.pmc9.used;
  return Dispatch(in).run();
}

}  // namespace pmusim::encoder::itanium2
