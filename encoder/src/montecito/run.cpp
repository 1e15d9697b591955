#include "run.h"

#include <fmt/format.h>

#include <map>

#include "encoder/src/text.h"
#include "registers.h"
#include "table.h"

namespace pmusim::encoder::montecito {
namespace {

using ia64::Failed;

Failed add_matchers(const std::vector<OpcodeFilter>& filters, Input& in) {
  if (filters.size() > 2)
    return Error{ErrorCode::bad_qualifier,
                 fmt::format("{} opcode filters; there are two matchers, PMC32-33 and PMC34-35", filters.size())};
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const OpcodeFilter& filter = filters[i];
    (i == 0 ? in.matcher1 : in.matcher2) = {true, filter.m, filter.i, filter.f, filter.b, filter.match, filter.mask};
  }
  return std::nullopt;
}

/// Reads the attributes of event strings that exist on this processor only.
Failed read_threads_and_states(const Request& request, ia64::CounterInput& event) {
  const auto all = request.settings.get("all");
  const auto own = request.settings.get("me");
  if (all && own && (*all != 0) == (*own != 0))
    return Error{ErrorCode::attribute_conflict,
                 fmt::format("{}: me and all exclude each other; name one", quoted(request.text))};
  event.all_threads = all ? *all != 0 : own && *own == 0;
  event.line_states = request.event ? request.unit_mask : request.unit_mask >> 4;
  return std::nullopt;
}

/// Values of all control registers that neither monitor nor filter.
std::map<unsigned, std::uint64_t> unused_controls() {
  std::map<unsigned, std::uint64_t> values{{32, kMatchEverything},
                                           {33, 0},
                                           {34, kMatchEverythingElse},
                                           {35, 0},
                                           {36, kRouting},
                                           {37, 0},
                                           {38, ia64::kUnconstrainedCode},
                                           {39, 0},
                                           {40, field::ism.put(kIa64Code)},
                                           {41, ia64::kUnconstrainedData},
                                           {42, 0}};
  for (unsigned counter = 0; counter < kCounters; ++counter)
    values[ia64::kFirstCounter + counter] = field::ism.put(kIa64Code);
  return values;
}

}  // namespace

Result<Input> input_of(std::span<const ia64::Wanted> events, const GroupOptions& options) {
  Input in;
  if (auto failed = ia64::read_run(events, options, kQualifiers, in)) return *std::move(failed);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (auto failed = read_threads_and_states(*events[i].request, in.events[i])) return *std::move(failed);
  if (auto failed = add_matchers(options.qualifiers.opcodes, in)) return *std::move(failed);
  if (const auto& filter = options.qualifiers.instructions) {
    in.ip_ear = {true, filter->levels, filter->delay};
    in.ip_ear.privileged = !in.events.empty() && in.events.front().privileged;
  }
  return in;
}

Encoding encoding_of(const Input& in, const ia64::RunOutput& out) {
  std::map<unsigned, std::uint64_t> controls = unused_controls();
  for (const ia64::ControlValue& control : out.controls) controls[control.number] = control.value;
  return ia64::encoding_of(in, out, controls, registers());
}

}  // namespace pmusim::encoder::montecito
