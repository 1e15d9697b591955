#include "run.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmusim::encoder::ia64 {
namespace {

constexpr std::uint8_t kRetiredInstructions = 0x08;

bool disturbs_buffer(std::uint32_t mode) {
  return mode == static_cast<std::uint32_t>(EarMode::tlb) || mode == static_cast<std::uint32_t>(EarMode::alat);
}

}  // namespace

EarMode mode_of(EventKind kind) {
  switch (kind) {
    case EventKind::instruction_tlb:
    case EventKind::data_tlb:
      return EarMode::tlb;
    case EventKind::data_alat:
      return EarMode::alat;
    default:
      return EarMode::cache;
  }
}

Failed add_control(const RunInput& in, unsigned number, std::uint64_t value, RunOutput& out) {
  if (in.unavailable >> number & 1)
    return Error{ErrorCode::no_assignment, fmt::format("the request needs PMC{}, which is not available", number)};
  out.controls.push_back({number, value});
  return std::nullopt;
}

Failed check_blocks(const RunInput& in) {
  if (in.has_model_output && !in.has_model)
    return Error{ErrorCode::bad_value, "a model-specific output block needs an input block beside it"};
  return std::nullopt;
}

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

std::optional<EarInput> ear_setup(const RunInput& in, bool data) {
  EarInput setup = data ? in.data_ear : in.instruction_ear;
  if (!setup.used) {
    const auto event = std::find_if(in.events.begin(), in.events.end(), [&](const CounterInput& candidate) {
      return data ? candidate.row->is_data_ear() : candidate.row->is_instruction_ear();
    });
    if (event == in.events.end()) return std::nullopt;
    setup = {};
    setup.mode = static_cast<std::uint32_t>(mode_of(event->row->kind));
    setup.umask = event->row->umask;
  }
  if (setup.levels == 0) setup.levels = in.default_levels;
  return setup;
}

RetiredEvents retired_events(const RunInput& in) {
  RetiredEvents found;
  for (const CounterInput& event : in.events) {
    if (event.row->code != kRetiredInstructions) continue;
    ++found.count;
    found.channels |= 1u << (event.row->umask & 0xf);
  }
  return found;
}

Result<std::optional<BufferSetup>> buffer_setup(const RunInput& in, std::string_view name) {
  const auto any = [&](auto predicate) { return std::any_of(in.events.begin(), in.events.end(), predicate); };
  const bool event = any([](const CounterInput& input) { return input.row->kind == EventKind::branch_buffer; });
  const bool ear_used = in.data_ear.used && (in.data_ear.used_is_one || !in.quirks.has(Quirk::used_exactly_one));
  const bool must_be_off = any([](const CounterInput& input) {
                             return input.row->kind == EventKind::data_tlb || input.row->kind == EventKind::data_alat;
                           }) ||
                           (ear_used && disturbs_buffer(in.data_ear.mode));
  if (!event && !in.buffer.used && !must_be_off) return std::optional<BufferSetup>{};
  BufferSetup setup;
  setup.records = event || in.buffer.used;
  if (setup.records) {
    BufferInput wanted = in.buffer;
    if (!wanted.used) wanted = {true, 0, 3, 3, 3, 0, 0};  // every branch
    const std::uint32_t levels = wanted.levels ? wanted.levels : in.default_levels;
    setup.value = (levels & 0xf) | std::uint64_t{in.system_wide || wanted.privileged} << 6 |
                  std::uint64_t{wanted.ds & 1} << 7 | std::uint64_t{wanted.tm & 3} << 8 |
                  std::uint64_t{wanted.ptm & 3} << 10 | std::uint64_t{wanted.ppm & 3} << 12 |
                  std::uint64_t{wanted.brt & 3} << 14;
  }
  if (must_be_off && setup.value != 0)
    return Error{ErrorCode::event_conflict,
                 fmt::format("the {} must be off while the data EAR is in TLB or ALAT mode; use separate runs", name)};
  return std::optional(setup);
}

Result<std::optional<std::uint64_t>> data_ranges(const RunInput& in, RunOutput& out, bool fine, bool even, bool odd) {
  const bool half = in.quirks.has(Quirk::used_exactly_one);
  const bool with_code = in.code.used && (in.code.used_is_one || !half);
  const bool with_data = in.data.used && (in.data.used_is_one || !half);
  if (!with_code && !with_data) return std::optional<std::uint64_t>{};
  if (with_data) {
    if (!in.has_model_output) return no_place_for_registers();
    const auto intervals = intervals_of(in.data, Space::data, in.default_levels);
    if (!intervals) return intervals.error();
    const auto ranges = pair_ranges(*intervals, Space::data, in.quirks);
    if (!ranges) return ranges.error();
    out.data_ranges = *ranges;
  }
  std::array<bool, kPairs> of_code{}, of_data{}, of_opcode{};
  for (unsigned pair = 0; pair < kPairs; ++pair) {
    of_data[pair] = out.data_ranges && out.data_ranges->uses_pair(pair);
    // In fine mode pairs 2 and 3 hold only upper bounds.
    of_code[pair] = with_code && out.code_ranges->uses_pair(pair) && !(fine && pair >= 2);
    of_opcode[pair] = pair % 2 == 0 ? even : odd;
  }
  return std::optional(range_control(of_code, of_data, of_opcode));
}

Error bad_ear_mode(std::string_view ear, std::uint32_t mode, std::string_view legal) {
  return {ErrorCode::bad_value, fmt::format("mode {} of the {} EAR: it has {} mode", mode, ear, legal)};
}

Error no_place_for_registers() {
  return {ErrorCode::bad_value, "an address range needs an output block for its debug registers"};
}

std::uint64_t range_control(const std::array<bool, kPairs>& code, const std::array<bool, kPairs>& data,
                            const std::array<bool, kPairs>& opcode) {
  // Configuration of a pair, indexed by its uses (bit 0 data, 1 opcode, 2 code): 3 no constraint, 2 data, 1 opcode and
  // code, 0 all.
  static constexpr std::array<std::uint64_t, 8> configuration{3, 2, 3, 0, 1, 0, 1, 0};
  constexpr std::uint64_t kFixed = 0x78e6e6e6e6;  // reserved bits that must stay 1
  std::uint64_t value = kFixed;
  for (unsigned pair = 0; pair < kPairs; ++pair) {
    const bool used = code[pair] || data[pair];
    const unsigned uses = (data[pair] ? 1u : 0u) | (used && opcode[pair] ? 2u : 0u) | (code[pair] ? 4u : 0u);
    value |= configuration[uses] << (8 * pair + 3) | std::uint64_t{used} << (45 + pair);
  }
  return value;
}

}  // namespace pmusim::encoder::ia64
