#include "run.h"

#include <fmt/format.h>

#include <algorithm>

#include "../ia64/levels.h"
#include "../ia64/qualifiers.h"
#include "../text.h"
#include "counters.h"
#include "registers.h"
#include "table.h"

namespace pmusim::encoder::itanium2 {
namespace {

using ia64::Failed;

/// The opcode bits that PMC8 and PMC9 compare: 12:0 and 40:27.
constexpr unsigned kLowBits = 13;
constexpr unsigned kHighFrom = 27;
constexpr std::uint64_t kUncompared = ((std::uint64_t{1} << kHighFrom) - 1) & ~((std::uint64_t{1} << kLowBits) - 1);

std::uint64_t matcher_bits(std::uint64_t opcode) {
  return (opcode & ((1u << kLowBits) - 1)) | opcode >> kHighFrom << kLowBits;
}

Failed add_matchers(const std::vector<OpcodeFilter>& filters, Input& in) {
  if (filters.size() > 2)
    return Error{ErrorCode::bad_qualifier,
                 fmt::format("{} opcode filters; there are two matchers, PMC8 and PMC9", filters.size())};
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const OpcodeFilter& filter = filters[i];
    if ((filter.mask & kUncompared) != kUncompared)
      return Error{
          ErrorCode::bad_qualifier,
          fmt::format("opcode filter {:#x}/{:#x}: bits 26 to 13 of an instruction cannot be compared; set them "
                      "in the mask: {:#x}",
                      filter.match, filter.mask, filter.mask | kUncompared)};
    MatcherInput& matcher = i == 0 ? in.pmc8 : in.pmc9;
    matcher.used = true;
    matcher.value = field::opcode_match.put(matcher_bits(filter.match)) |
                    field::opcode_mask.put(matcher_bits(filter.mask)) | field::slot_m.put(filter.m) |
                    field::slot_i.put(filter.i) | field::slot_f.put(filter.f) | field::slot_b.put(filter.b);
  }
  return std::nullopt;
}

/// An EAR or branch event without a filter of its own counts what its register takes in, so that the register gets the
/// event's levels and instruction set.
void follow_event(const ia64::CounterInput& event, Input& in) {
  const ia64::Row& row = *event.row;
  if (row.is_ear()) {
    ia64::EarInput& ear = row.is_data_ear() ? in.data_ear : in.instruction_ear;
    if (!ear.used)
      ear = {true,         true,     static_cast<std::uint32_t>(ia64::mode_of(row.kind)), event.instruction_set,
             event.levels, row.umask};
  } else if (row.kind == ia64::Kind::branch_buffer && !in.buffer.used) {
    in.buffer = {true, 0, 3, 3, 3, 0, event.levels};
  }
}

std::vector<CoveredRange> covered(const ia64::RangeRequest& request, const ia64::RangeRegisters& registers) {
  std::vector<CoveredRange> ranges;
  for (std::size_t i = 0; i < ia64::kRanges && request.limits[i].end != 0; ++i)
    ranges.push_back(
        {request.limits[i].start - registers.offsets[i].start, request.limits[i].end + registers.offsets[i].end});
  return ranges;
}

}  // namespace

Result<Input> input_of(std::span<const Wanted> events, const GroupOptions& options) {
  Input in;
  const auto quirks = ia64::Quirks::parse(options.quirks);
  if (!quirks) return quirks.error();
  in.quirks = *quirks;
  in.has_model = true;
  in.has_model_output = true;
  in.unavailable = std::uint64_t{options.unavailable} << kFirstCounter;
  in.default_levels = ia64::kUserAndKernel;
  for (const Wanted& wanted : events) {
    const auto levels = ia64::levels_of(*wanted.request);
    if (!levels) return levels.error();
    const auto setting = [&](std::string_view name, std::uint64_t unnamed = 0) {
      return static_cast<std::uint32_t>(wanted.request->settings.get(name).value_or(unnamed));
    };
    ia64::CounterInput event;
    event.row = &wanted.row;
    event.levels = *levels;
    event.threshold = setting("t");
    event.instruction_set = setting("ism");
    event.unchecked = setting("unchecked") != 0;
    event.interrupt = setting("intr", options.sampling) != 0;
    event.privileged = setting("pm") != 0;
    if (in.events.empty()) in.default_levels = event.levels;
    in.events.push_back(event);
  }
  if (auto failed = ia64::add_qualifiers(options.qualifiers, in)) return *std::move(failed);
  if (auto failed = add_matchers(options.qualifiers.opcodes, in)) return *std::move(failed);
  for (const ia64::CounterInput& event : in.events) follow_event(event, in);
  return in;
}

Encoding encoding_of(const Input& in, const ia64::RunOutput& out) {
  // What is not used is written so that it neither monitors nor filters.
  std::array<std::uint64_t, 16> values{};
  values[8] = kMatchEverything;
  values[9] = field::bit2.put(1) | field::ig_ad.set(kMatchEverything, 0) | field::inv.put(0);
  values[13] = kUnconstrainedData;
  values[14] = kUnconstrainedCode;
  values[15] = kNoRouting;
  for (const ia64::ControlValue& control : out.controls) values[control.number] = control.value;
  values[kFirstCounter] |= field::enable.put(1);

  Encoding encoding;
  encoding.off.push_back(pmc(0).holding(1));
  const auto add_ranges = [&](const auto& ranges, const auto& reg) {
    if (!ranges) return;
    for (const ia64::DebugRegister& value : ranges->registers)
      encoding.registers.push_back(reg(value.number).holding(value.value));
  };
  add_ranges(out.code_ranges, ibr);
  add_ranges(out.data_ranges, dbr);
  for (unsigned number = kFirstCounter; number < values.size(); ++number)
    encoding.registers.push_back(pmc(number).holding(values[number]));
  encoding.registers.push_back(pmc(0).holding(0));
  if (out.code_ranges) encoding.code = covered(in.code, *out.code_ranges);
  if (out.data_ranges) encoding.data = covered(in.data, *out.data_ranges);
  for (std::size_t i = in.events.size(); i < out.data.size(); ++i)
    encoding.sample_registers.emplace_back(pmd(out.data[i]).name);
  return encoding;
}

}  // namespace pmusim::encoder::itanium2
