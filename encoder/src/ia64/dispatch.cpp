#include "dispatch.h"

#include <fmt/format.h>

namespace pmusim::encoder::ia64 {

Failed Dispatch::checks() {
  if (auto failed = check_blocks(run_)) return failed;
  if (!run_.has_model) return std::nullopt;
  if (auto failed = check_filters(run_)) return failed;
  return check_range_levels(run_);
}

Failed Dispatch::add_counters(const Result<std::vector<unsigned>>& placed, ControlOf control) {
  if (!placed) return placed.error();
  for (std::size_t i = 0; i < run_.events.size(); ++i) {
    out_.controls.push_back({(*placed)[i], control(run_, run_.events[i])});
    out_.data.push_back((*placed)[i]);
  }
  return std::nullopt;
}

Failed Dispatch::instruction_ear() {
  const auto setup = ear_setup(run_, false);
  if (!setup) return std::nullopt;
  std::uint64_t value = field::plm.put(setup->levels) | field::iear_pm.put(run_.system_wide || setup->privileged) |
                        instruction_ear_set(setup->instruction_set);
  switch (static_cast<EarMode>(setup->mode)) {
    case EarMode::tlb:
      value |= field::iear_tlb_umask.put(setup->umask);
      break;
    case EarMode::cache:
      value |= field::iear_cache_umask.put(setup->umask) | field::iear_ct.put(1);
      break;
    default:
      return bad_ear_mode("instruction", setup->mode, "cache or TLB");
  }
  return add(units_.instruction_ear, value, units_.instruction_ear_data);
}

Failed Dispatch::data_ear() {
  const auto setup = ear_setup(run_, true);
  if (!setup) return std::nullopt;
  if (setup->mode > static_cast<std::uint32_t>(EarMode::alat))
    return bad_ear_mode("data", setup->mode, "cache, TLB or ALAT");
  return add(units_.data_ear,
             field::plm.put(setup->levels) | field::pm.put(run_.system_wide || setup->privileged) |
                 field::dear_mode.put(setup->mode) | field::umask.put(setup->umask) |
                 data_ear_set(setup->instruction_set),
             units_.data_ear_data);
}

Failed Dispatch::add_code_ranges(const RangeRegisters& ranges, bool fine) {
  out_.code_ranges = ranges;
  fine_ = fine;
  std::uint64_t value = kUnconstrainedCode | field::fine.put(fine);
  for (unsigned pair = 0; pair < kPairs; ++pair)
    if (ranges.uses_pair(pair)) value &= ~(std::uint64_t{1} << code_pair_bit(pair));
  return add(units_.code_ranges, value);
}

Failed Dispatch::second_range() {
  if (!out_.code_ranges || !fine_ || run_.quirks.has(Quirk::second_fine)) return std::nullopt;
  const auto intervals = intervals_of(run_.code, Space::code, run_.default_levels);
  if (!intervals) return intervals.error();
  if (intervals->size() < 2 || (*intervals)[0] == (*intervals)[1]) return std::nullopt;
  constexpr std::uint32_t first = 0b0101, second = 0b1010;  // channels of the ranges
  const RetiredEvents retired = retired_events(run_);
  if (retired.count == run_.events.size() && (retired.channels & first) != 0 && (retired.channels & second) != 0)
    return std::nullopt;
  return Error{ErrorCode::too_many_code_ranges,
               fmt::format("{} code ranges in fine mode: only the retired-instruction events can have more than one, "
                           "an event for each (IA64_TAGGED_INST_RETIRED_IBRP0_... and IBRP1_...); count one range at a "
                           "time",
                           intervals->size())};
}

Failed Dispatch::add_data_ranges(bool even, bool odd) {
  if (!run_.has_model) return std::nullopt;
  const auto setup = data_ranges(run_, out_, fine_, even, odd);
  if (!setup) return setup.error();
  return *setup ? add(units_.data_ranges, **setup) : std::nullopt;
}

Failed Dispatch::buffer() {
  const auto setup = buffer_setup(run_, units_.buffer_name);
  if (!setup) return setup.error();
  if (!*setup) return std::nullopt;
  if (auto failed = add(units_.buffer, (*setup)->value)) return failed;
  if ((*setup)->records) read_back(units_.buffer_data);
  return std::nullopt;
}

Failed Dispatch::add(unsigned number, std::uint64_t value, std::span<const unsigned> pmds) {
  if (auto failed = add_control(run_, number, value, out_)) return failed;
  read_back(pmds);
  return std::nullopt;
}

void Dispatch::read_back(std::span<const unsigned> pmds) {
  out_.data.insert(out_.data.end(), pmds.begin(), pmds.end());
}

}  // namespace pmusim::encoder::ia64
