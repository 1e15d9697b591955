#include "dispatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmusim::encoder::ia64 {

namespace {

constexpr std::uint8_t kRetiredInstructions = 0x08;

bool disturbs_buffer(std::uint32_t mode) {
  return mode == static_cast<std::uint32_t>(EarMode::tlb) || mode == static_cast<std::uint32_t>(EarMode::alat);
}

/// Refuses events that ignore a filter of the run, unless they are marked as unchecked.
Failed check_filters(const RunInput& in) {
  const auto lacks = [](const CounterInput& event, Filter filter, bool used, std::string_view words) -> Failed {
    if (!used || event.row->filters & filter) return std::nullopt;
    return Error{ErrorCode::feature_conflict,
                 fmt::format("{} ignores {}; leave the event out, or ask for it unchecked to count it unfiltered",
                             event.row->name, words)};
  };
  for (const CounterInput& event : in.events) {
    if (event.unchecked) continue;
    if (auto failed = lacks(event, kCode, in.code.used, "code ranges")) return failed;
    if (auto failed = lacks(event, kData, in.data.used, "data ranges")) return failed;
    if (auto failed = lacks(event, kOpcode, in.matches_opcodes, "opcode matching")) return failed;
  }
  return std::nullopt;
}

/// Refuses, in runs with an address range, events that do not count at the levels of the run.
Failed check_range_levels(const RunInput& in) {
  if (!in.code.used && !in.data.used) return std::nullopt;
  for (const CounterInput& event : in.events)
    if (event.levels != in.default_levels)
      return Error{ErrorCode::feature_conflict,
                   fmt::format("{} counts at levels {:#x}, but with an address range every event must count at those "
                               "of the run, {:#x}",
                               event.row->name, event.levels, in.default_levels)};
  return std::nullopt;
}

Error bad_ear_mode(std::string_view ear, std::uint32_t mode, std::string_view legal) {
  return {ErrorCode::bad_value, fmt::format("mode {} of the {} EAR: it has {} mode", mode, ear, legal)};
}

Error no_place_for_registers() {
  return {ErrorCode::bad_value, "an address range needs an output block for its debug registers"};
}

}  // namespace

Dispatch::Dispatch(const RunInput& in, const UnitRegisters& units) : run_(in), units_(units) {
  for (const CounterInput& event : in.events) {
    if (event.row->code != kRetiredInstructions) continue;
    ++retired_;
    retired_channels_ |= 1u << (event.row->umask & 0xf);
  }
}

Failed Dispatch::checks() {
  if (run_.has_model_output && !run_.has_model)
    return Error{ErrorCode::bad_value, "a model-specific output block needs an input block beside it"};
  if (!run_.has_model) return std::nullopt;
  if (auto failed = check_filters(run_)) return failed;
  return check_range_levels(run_);
}

Failed Dispatch::counters() {
  if (run_.events.size() > units_.counters)
    return Error{ErrorCode::too_many_events,
                 fmt::format("{} events asked, but there are {} counters", run_.events.size(), units_.counters)};
  const auto placed = place();
  if (!placed) return placed.error();
  for (std::size_t i = 0; i < run_.events.size(); ++i) {
    const CounterInput& event = run_.events[i];
    out_.controls.push_back({(*placed)[i], field::plm.put(event.levels) | field::oi.put(event.interrupt) |
                                               field::pm.put(run_.system_wide || event.privileged) |
                                               field::es.put(event.row->code) |
                                               field::umask.put(event.row->counter_umask()) |
                                               field::threshold.put(event.threshold) | own_control(event)});
    out_.data.push_back((*placed)[i]);
  }
  return std::nullopt;
}

std::optional<EarInput> Dispatch::ear_setup(bool data) const {
  EarInput setup = data ? run_.data_ear : run_.instruction_ear;
  if (!setup.used) {
    const auto event = std::find_if(run_.events.begin(), run_.events.end(), [&](const CounterInput& candidate) {
      return data ? candidate.row->is_data_ear() : candidate.row->is_instruction_ear();
    });
    if (event == run_.events.end()) return std::nullopt;
    setup = {};
    setup.mode = static_cast<std::uint32_t>(mode_of(event->row->kind));
    setup.umask = event->row->umask;
  }
  if (setup.levels == 0) setup.levels = run_.default_levels;
  return setup;
}

Failed Dispatch::instruction_ear() {
  const auto setup = ear_setup(false);
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
  const auto setup = ear_setup(true);
  if (!setup) return std::nullopt;
  if (setup->mode > static_cast<std::uint32_t>(EarMode::alat))
    return bad_ear_mode("data", setup->mode, "cache, TLB or ALAT");
  return add(units_.data_ear,
             field::plm.put(setup->levels) | field::pm.put(run_.system_wide || setup->privileged) |
                 field::dear_mode.put(setup->mode) | field::umask.put(setup->umask) |
                 data_ear_set(setup->instruction_set),
             units_.data_ear_data);
}

Failed Dispatch::code() {
  if (!run_.has_model || !run_.code.used) return std::nullopt;
  if (!run_.has_model_output) return no_place_for_registers();
  const auto intervals = intervals_of(run_.code, Space::code, run_.default_levels);
  if (!intervals) return intervals.error();
  fine_ = !run_.code.no_fine && fits_fine(*intervals, units_.fine_page, run_.quirks);
  const auto ranges = code_ranges(*intervals);
  if (!ranges) return ranges.error();
  out_.code_ranges = *ranges;
  std::uint64_t value = kUnconstrainedCode | field::fine.put(fine_);
  for (unsigned pair = 0; pair < kPairs; ++pair)
    if (ranges->uses_pair(pair)) value &= ~(std::uint64_t{1} << code_pair_bit(pair));
  return add(units_.code_ranges, value);
}

Failed Dispatch::check_channels(const RangeRegisters& ranges) const {
  if (!retired_only()) return std::nullopt;
  for (unsigned pair = 0; pair < kPairs; ++pair)
    if (ranges.uses_pair(pair) && !(retired_channels_ >> pair & 1))
      return Error{ErrorCode::bad_code_range,
                   fmt::format("the code range uses debug register pair {}, but no event counts on channel {}: add "
                               "IA64_TAGGED_INST_RETIRED_IBRP{}_PMC{}",
                               pair, pair, pair, units_.matchers[pair % 2])};
  return std::nullopt;
}

Failed Dispatch::second_range() {
  if (!out_.code_ranges || !fine_ || run_.quirks.has(Quirk::second_fine)) return std::nullopt;
  const auto intervals = intervals_of(run_.code, Space::code, run_.default_levels);
  if (!intervals) return intervals.error();
  if (intervals->size() < 2 || (*intervals)[0] == (*intervals)[1]) return std::nullopt;
  constexpr std::uint32_t first = 0b0101, second = 0b1010;  // channels of the ranges
  if (retired_only() && (retired_channels_ & first) != 0 && (retired_channels_ & second) != 0) return std::nullopt;
  return Error{ErrorCode::too_many_code_ranges,
               fmt::format("{} code ranges in fine mode: only the retired-instruction events can have more than one, "
                           "an event for each (IA64_TAGGED_INST_RETIRED_IBRP0_... and IBRP1_...); count one range at a "
                           "time",
                           intervals->size())};
}

Failed Dispatch::add_data_ranges(bool even, bool odd) {
  if (!run_.has_model) return std::nullopt;
  const bool half = run_.quirks.has(Quirk::used_exactly_one);
  const bool with_code = run_.code.used && (run_.code.used_is_one || !half);
  const bool with_data = run_.data.used && (run_.data.used_is_one || !half);
  if (!with_code && !with_data) return std::nullopt;
  if (with_data) {
    if (!run_.has_model_output) return no_place_for_registers();
    const auto intervals = intervals_of(run_.data, Space::data, run_.default_levels);
    if (!intervals) return intervals.error();
    const auto ranges = pair_ranges(*intervals, Space::data, run_.quirks);
    if (!ranges) return ranges.error();
    out_.data_ranges = *ranges;
  }
  // Configuration of a pair, indexed by its uses (bit 0 data, 1 opcode, 2 code): 3 no constraint, 2 data, 1 opcode and
  // code, 0 all.
  static constexpr std::array<std::uint64_t, 8> configuration{3, 2, 3, 0, 1, 0, 1, 0};
  std::uint64_t value = 0x78e6e6e6e6;  // reserved bits that must stay 1
  for (unsigned pair = 0; pair < kPairs; ++pair) {
    const bool data = out_.data_ranges && out_.data_ranges->uses_pair(pair);
    // In fine mode pairs 2 and 3 hold only upper bounds.
    const bool code = with_code && out_.code_ranges->uses_pair(pair) && !(fine_ && pair >= 2);
    const bool used = code || data, opcode = used && (pair % 2 == 0 ? even : odd);
    const unsigned uses = (data ? 1u : 0u) | (opcode ? 2u : 0u) | (code ? 4u : 0u);
    value |= configuration[uses] << (8 * pair + 3) | std::uint64_t{used} << (45 + pair);
  }
  return add(units_.data_ranges, value);
}

/// The data EAR in TLB or ALAT mode reports correct addresses only while the control register of the buffer is 0.
Failed Dispatch::buffer() {
  const auto any = [&](auto predicate) { return std::any_of(run_.events.begin(), run_.events.end(), predicate); };
  const bool event = any([](const CounterInput& input) { return input.row->kind == EventKind::branch_buffer; });
  const bool ear_used = run_.data_ear.used && (run_.data_ear.used_is_one || !run_.quirks.has(Quirk::used_exactly_one));
  const bool must_be_off = any([](const CounterInput& input) {
                             return input.row->kind == EventKind::data_tlb || input.row->kind == EventKind::data_alat;
                           }) ||
                           (ear_used && disturbs_buffer(run_.data_ear.mode));
  const bool records = event || run_.buffer.used;
  if (!records) return must_be_off ? add(units_.buffer, 0) : std::nullopt;
  BufferInput wanted = run_.buffer;
  if (!wanted.used) wanted = {true, 0, 3, 3, 3, 0, 0};  // every branch
  const std::uint64_t value = field::plm.put(wanted.levels ? wanted.levels : run_.default_levels) |
                              field::pm.put(run_.system_wide || wanted.privileged) | field::ds.put(wanted.ds) |
                              field::tm.put(wanted.tm) | field::ptm.put(wanted.ptm) | field::ppm.put(wanted.ppm) |
                              field::brt.put(wanted.brt);
  if (must_be_off && value != 0)
    return Error{ErrorCode::event_conflict,
                 fmt::format("the {} must be off while the data EAR is in TLB or ALAT mode; use separate runs",
                             units_.buffer_name)};
  return add(units_.buffer, value, units_.buffer_data);
}

Failed Dispatch::add(unsigned number, std::uint64_t value, std::span<const unsigned> read_back) {
  if (run_.unavailable >> number & 1)
    return Error{ErrorCode::no_assignment, fmt::format("the request needs PMC{}, which is not available", number)};
  out_.controls.push_back({number, value});
  out_.data.insert(out_.data.end(), read_back.begin(), read_back.end());
  return std::nullopt;
}

}  // namespace pmusim::encoder::ia64
