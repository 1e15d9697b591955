#include "dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "encoder/src/ia64/dispatch.h"
#include "registers.h"

namespace pmusim::encoder::montecito {

namespace {

using ia64::Failed;
using ia64::Interval;
using ia64::Quirk;
using ia64::RangeRegisters;
using ia64::RunOutput;
using ia64::Space;

/// Prefetch events, which use tag channel 1: L1I_PREFETCHES, L1I_STRM_PREFETCHES, L2I_PREFETCHES.
constexpr std::array<std::uint8_t, 3> kPrefetchEvents{0x44, 0x5f, 0x45};
/// Events of demand fetches and prefetches: ISB_BUNPAIRS_IN, L1I_FETCH_RAB_HIT, L1I_FETCH_ISB_HIT, L1I_FILLS.
constexpr std::array<std::uint8_t, 4> kFetchEvents{0x46, 0x65, 0x66, 0x41};
constexpr std::uint8_t kCycles = 0x12;

template <std::size_t N>
bool is_one_of(const std::array<std::uint8_t, N>& codes, std::uint8_t code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

constexpr unsigned kInstructionEarData[] = {34, 35};
constexpr unsigned kDataEarData[] = {32, 33, 36};
constexpr unsigned kBufferData[] = {38, 39, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
/// 64 KiB. libpfm's mask has 32 bits; the hardware ignores it.
constexpr ia64::FinePage kFinePage{16, 0xffff0000};
constexpr ia64::UnitRegisters kUnits{.counters = kCounters,
                                     .instruction_ear = 37,
                                     .instruction_ear_data = kInstructionEarData,
                                     .data_ear = 40,
                                     .data_ear_data = kDataEarData,
                                     .code_ranges = 38,
                                     .data_ranges = 41,
                                     .fine_page = kFinePage,
                                     .matchers = {"32_33", "34_35"},
                                     .buffer = 39,
                                     .buffer_data = kBufferData,
                                     .buffer_name = "execution trace buffer"};

class MontecitoDispatch final : public ia64::Dispatch {
 public:
  explicit MontecitoDispatch(const Input& in) : Dispatch(in, kUnits), in_(in) {}

  Result<RunOutput> run() {
    using Self = MontecitoDispatch;
    static constexpr Failed (Self::*order[])() = {&Self::checks,       &Self::counters,    &Self::instruction_ear,
                                                  &Self::data_ear,     &Self::code,        &Self::data,
                                                  &Self::first_match,  &Self::next_match,  &Self::buffer,
                                                  &Self::instructions, &Self::second_range};
    return run_steps<Self>(order);
  }

 private:
  // The processor executes only IA-64 code.
  [[nodiscard]] std::uint64_t instruction_ear_set(std::uint32_t /*set*/) const override { return 0; }
  [[nodiscard]] std::uint64_t data_ear_set(std::uint32_t /*set*/) const override { return field::ism.put(kIa64Code); }

  [[nodiscard]] std::uint64_t own_control(const ia64::CounterInput& event) const override {
    return field::ism.put(kIa64Code) | field::all.put(event.all_threads) | field::line_states.put(event.line_states);
  }

  [[nodiscard]] Result<std::vector<unsigned>> place() const override {
    auto placed = place_counters(in_);
    if (!placed) return placed;
    for (const ia64::CounterInput& event : in_.events)
      if (event.all_threads && in_.refuse_all_threads)
        return Error{ErrorCode::not_supported,
                     fmt::format("{}: this interface counts the events of one thread only", event.row->name)};
    return placed;
  }

  [[nodiscard]] Result<RangeRegisters> code_ranges(const std::vector<Interval>& intervals) override {
    if (auto failed = check_number(intervals)) return *std::move(failed);
    if (auto failed = choose_channels()) return *std::move(failed);
    auto ranges = fine_ ? fine_code(intervals) : coarse_code(intervals);
    if (!ranges || fine_) return ranges;
    if (auto failed = check_channels(*ranges)) return *std::move(failed);
    return ranges;
  }

  [[nodiscard]] static Failed check(bool too_many, std::size_t asked, std::string_view why) {
    if (!too_many) return std::nullopt;
    return Error{ErrorCode::too_many_code_ranges, fmt::format("{} code ranges {}", asked, why)};
  }
  [[nodiscard]] Failed check_number(const std::vector<Interval>& intervals) const {
    const std::size_t asked = intervals.size();
    if (auto failed = check(!fine_ && !retired_only() && asked > 1, asked,
                            "that do not fit fine mode: only the retired-instruction events can have more than one, an "
                            "event for each"))
      return failed;
    return check(fine_ && asked > 2, asked,
                 "in fine mode, but at most 2 fit the debug registers; the ranges may be widened or fine mode switched "
                 "off");
  }

  /// Selects the tag channels (0, 1 or both) of the events that count prefetches. All others use channel 0.
  [[nodiscard]] Failed choose_channels() {
    for (const ia64::CounterInput& event : in_.events) {
      const bool fetches = is_one_of(kFetchEvents, event.row->code);
      const bool prefetches = is_one_of(kPrefetchEvents, event.row->code);
      if (!fetches && !prefetches) continue;
      ++prefetch_events_;
      if (fetches && !in_.code.demand_fetches && !in_.code.prefetches)
        return Error{ErrorCode::missing_range_flags,
                     fmt::format("{} counts demand fetches and prefetches: say which of them follow the code range "
                                 "(--fetch demand, prefetch or both)",
                                 event.row->name)};
      demand_ |= fetches && in_.code.demand_fetches;
      prefetch_ |= prefetches || in_.code.prefetches;
    }
    if (!prefetch_) return std::nullopt;
    for (const ia64::CounterInput& event : in_.events)
      if (event.row->code == kCycles)
        return Error{ErrorCode::feature_conflict,
                     fmt::format("{} goes wrong while a code range is on debug register pair 1, which prefetch events "
                                 "need; count it in a separate run",
                                 event.row->name)};
    return std::nullopt;
  }
  [[nodiscard]] unsigned first_pair() const { return prefetch_ && !demand_ ? 1 : 0; }
  [[nodiscard]] bool both_pairs() const { return prefetch_ && demand_; }

  [[nodiscard]] Result<RangeRegisters> fine_code(const std::vector<Interval>& intervals) const {
    if (auto failed = check(prefetch_events_ > 0 && intervals.size() != 1, intervals.size(),
                            "in fine mode, but with prefetch events at most 1 fits the debug registers"))
      return *std::move(failed);
    RangeRegisters found = ia64::fine_ranges(intervals, kFinePage, first_pair(), in_.quirks);
    if (both_pairs()) ia64::append(ia64::fine_ranges(intervals, kFinePage, 1, in_.quirks), found);
    return shifted(std::move(found));
  }

  [[nodiscard]] Result<RangeRegisters> coarse_code(const std::vector<Interval>& intervals) const {
    if (retired_only()) return ia64::pair_ranges(intervals, Space::code, in_.quirks);
    const bool others = prefetch_events_ + retired_ != in_.events.size();
    if (others && (prefetch_events_ > 0 || in_.quirks.has(Quirk::coarse_refused)))
      return Error{
          ErrorCode::feature_conflict,
          prefetch_events_ > 0
              ? "under a code range outside of fine mode prefetch events and other events do not go together; "
                "count them in separate runs"
              : "a code range outside of fine mode, and events that are neither of retired instructions nor of "
                "prefetches"};
    auto found = ia64::single_range(intervals.front(), first_pair(), in_.quirks);
    if (!found) return found;
    if (both_pairs()) {
      const unsigned second = in_.quirks.has(Quirk::coarse_pair_twice) ? first_pair() : 1;
      const auto more = ia64::single_range(intervals.front(), second, in_.quirks);
      if (!more) return more.error();
      ia64::append(*more, found.value());
    }
    return shifted(*std::move(found));
  }

  /// With the quirk, reg_addr is the number of the next register, except in ranges of retired instructions.
  [[nodiscard]] RangeRegisters shifted(RangeRegisters found) const {
    found.address_shift = in_.quirks.has(Quirk::shifted_address) ? 1 : 0;
    return found;
  }

  Failed data() { return add_data_ranges(in_.matcher1.used, in_.matcher2.used); }

  /// PMC32, which also enables and inverts the code range of channel 0, and PMC33.
  Failed first_match() {
    const MatcherInput& matcher = in_.matcher1;
    if (!in_.has_model || (!matcher.used && !in_.code.used)) return std::nullopt;
    std::uint64_t value = matcher.used ? mask_and_slots(matcher) : kMatchEverything;
    value = field::ig_ad.set(value, !in_.code.used);
    value = field::inv.set(value, in_.code.used && in_.code.inverse);
    if (auto failed = add(32, value)) return failed;
    return matcher.used ? add(33, field::opcode_match.put(matcher.match)) : std::nullopt;
  }

  Failed next_match() {
    const MatcherInput& matcher = in_.matcher2;
    if (!in_.has_model || !matcher.used) return std::nullopt;
    if (auto failed = add(34, mask_and_slots(matcher))) return failed;
    return add(35, field::opcode_match.put(matcher.match));
  }

  [[nodiscard]] static std::uint64_t mask_and_slots(const MatcherInput& matcher) {
    return field::opcode_mask.put(matcher.mask) | field::slot_m.put(matcher.m) | field::slot_i.put(matcher.i) |
           field::slot_f.put(matcher.f) | field::slot_b.put(matcher.b);
  }

  Failed instructions() {
    if (!in_.has_model || !in_.ip_ear.used) return std::nullopt;
    const bool event = std::any_of(in_.events.begin(), in_.events.end(), [](const ia64::CounterInput& candidate) {
      return candidate.row->kind == ia64::EventKind::branch_buffer;
    });
    if (event || in_.buffer.used)
      return Error{ErrorCode::feature_conflict,
                   "the execution trace buffer takes in either branches or, as IP-EAR, retiring instructions"};
    const std::uint32_t levels = in_.ip_ear.levels ? in_.ip_ear.levels : in_.default_levels;
    return add(42,
               field::plm.put(levels) | field::pm.put(in_.system_wide || in_.ip_ear.privileged) |
                   field::ip_ear_mode.put(kIpEarOn) | field::ip_ear_delay.put(in_.ip_ear.delay),
               kBufferData);
  }

  const Input& in_;
  std::size_t prefetch_events_ = 0;
  bool demand_ = false;    ///< some of them use channel 0
  bool prefetch_ = false;  ///< some of them use channel 1
};

}  // namespace

Result<RunOutput> dispatch(Input in) {
  in.matches_opcodes = in.matcher1.used || in.matcher2.used;
  in.quirks.remove(Quirk::unrounded_fine);  // libpfm always rounds on this processor
  return MontecitoDispatch(in).run();
}

}  // namespace pmusim::encoder::montecito
