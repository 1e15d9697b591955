#include "encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "encoder/src/engine.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::ia64 {

namespace {

/// Levels 0 and 3, which operating systems use: the mask for u and k together, or if neither is named.
constexpr std::uint32_t kUserAndKernel = 9;

/// The level mask of a request: u is level 3, k is level 0, plm is the mask. A contradicting plm is an error.
Result<std::uint32_t> level_mask_of(const Request& request) {
  constexpr std::uint32_t user_level = 8;
  constexpr std::uint32_t kernel_level = 1;
  const auto user = request.settings.get("u");
  const auto kernel = request.settings.get("k");
  const auto mask = request.settings.get("plm");
  if (!mask) {
    if (!user && !kernel) return kUserAndKernel;
    return (user.value_or(0) ? user_level : 0) | (kernel.value_or(0) ? kernel_level : 0);
  }
  const auto differs = [&](const std::optional<std::uint64_t>& asked, std::uint32_t level) {
    return asked && (*asked != 0) != ((*mask & level) != 0);
  };
  if (differs(user, user_level) || differs(kernel, kernel_level))
    return Error{ErrorCode::attribute_conflict,
                 fmt::format("{}: plm={} and u or k ask for different levels; name one or the other",
                             in_quotes(request.text), *mask)};
  return static_cast<std::uint32_t>(*mask);
}

/// An EAR or branch event without its own filter counts the events that its unit captures. The control register of the
/// unit therefore gets the event's levels and instruction set, and always its pm bit. Two events cannot
/// configure one register.
Failed follow_event(const CounterInput& event, RunInput& in) {
  const Row& row = *event.row;
  if (row.is_ear()) {
    EarInput& ear = row.is_data_ear() ? in.data_ear : in.instruction_ear;
    const auto mode = static_cast<std::uint32_t>(mode_of(row.kind));
    if (ear.by_event && (ear.mode != mode || ear.umask != row.umask))
      return Error{
          ErrorCode::event_conflict,
          fmt::format("{} needs another setup of its EAR than an event before it; use separate runs", row.name)};
    if (!ear.used) ear = {true, true, mode, event.instruction_set, event.levels, row.umask, false, true};
    ear.privileged = event.privileged;
  } else if (row.kind == EventKind::branch_buffer) {
    if (!in.buffer.used) in.buffer = {true, 0, 3, 3, 3, 0, event.levels};
    in.buffer.privileged = event.privileged;
  }
  return std::nullopt;
}

/// The ranges that `registers` cover for the requested ranges.
std::vector<CoveredRange> covered(const RangeRequest& request, const RangeRegisters& registers) {
  std::vector<CoveredRange> ranges;
  for (std::size_t i = 0; i < kRanges && request.limits[i].end != 0; ++i)
    ranges.push_back(
        {request.limits[i].start - registers.offsets[i].start, request.limits[i].end + registers.offsets[i].end});
  return ranges;
}

}  // namespace

Failed read_run(std::span<const Wanted> events, const GroupOptions& options, const QualifierForm& form, RunInput& in) {
  const auto quirks = Quirks::parse(options.quirks);
  if (!quirks) return quirks.error();
  in.quirks = *quirks;
  in.has_model = true;
  in.has_model_output = true;
  in.unavailable = std::uint64_t{options.unavailable} << kFirstCounter;
  in.default_levels = kUserAndKernel;
  for (const Wanted& wanted : events) {
    const auto levels = level_mask_of(*wanted.request);
    if (!levels) return levels.error();
    const auto setting = [&](std::string_view name, std::uint64_t unnamed = 0) {
      return static_cast<std::uint32_t>(wanted.request->settings.get(name).value_or(unnamed));
    };
    CounterInput event;
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
  if (auto failed = add_qualifiers(options.qualifiers, form, in)) return failed;
  for (const CounterInput& event : in.events) {
    if (auto failed = follow_event(event, in)) return failed;
  }
  return std::nullopt;
}

Encoding encoding_of(const RunInput& in, const RunOutput& out, const std::map<unsigned, std::uint64_t>& controls,
                     std::span<const Register> registers) {
  const auto reg = [&](std::string_view space, unsigned number) -> const Register& {
    return find_register(registers, space, number);
  };
  Encoding encoding;
  const auto add_debug_registers = [&](const std::optional<RangeRegisters>& ranges, std::string_view space) {
    if (!ranges) return;
    for (const DebugRegister& value : ranges->registers)
      encoding.registers.push_back(reg(space, value.number).holding(value.value));
  };
  const Register& freeze = reg("pmc", 0);
  encoding.off.push_back(freeze.holding(1));
  add_debug_registers(out.code_ranges, "ibr");
  add_debug_registers(out.data_ranges, "dbr");
  for (const auto& [number, value] : controls) encoding.registers.push_back(reg("pmc", number).holding(value));
  encoding.registers.push_back(freeze.holding(0));
  if (out.code_ranges) encoding.code = covered(in.code, *out.code_ranges);
  if (out.data_ranges) encoding.data = covered(in.data, *out.data_ranges);
  for (std::size_t i = in.events.size(); i < out.data.size(); ++i)
    encoding.sample_registers.emplace_back(reg("pmd", out.data[i]).name);
  return encoding;
}

}  // namespace pmusim::encoder::ia64
