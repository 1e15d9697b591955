#include "testbench/cli/programmed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pmusim/trace/numbering.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/driver/firmware.h"
#include "testbench/explain/raw_counters.h"

namespace pmusim::testbench {

encoder::EncodeOptions plain_options(const SessionSetup& setup) {
  encoder::EncodeOptions options;
  options.sampling = find_firmware(setup.target->name) != nullptr;  // firmware extends the counters by their interrupts
  return options;
}

encoder::EncodeOptions counting_options(const Arguments& arguments, const SessionSetup& setup) {
  encoder::EncodeOptions options = plain_options(setup);
  options.qualifiers = qualifiers_of(arguments, setup.target->name);
  return options;
}

Programmed programmed_events(const SessionSetup& setup, const std::vector<std::string>& events,
                             const encoder::EncodeOptions& options) {
  const auto encoding = encoder::encode(setup.target->name, events, options);
  if (!encoding) {
    const bool too_many = encoding.error().code == encoder::ErrorCode::too_many_events ||
                          encoding.error().code == encoder::ErrorCode::no_assignment;
    throw UsageError(encoding.error().message +
                     (too_many ? "; --passes counts them in several runs of the trace" : ""));
  }
  Programmed programmed{encoding->registers, {}};
  add_notes(*encoding, programmed.notes);
  for (const encoder::EncodedEvent& event : encoding->events) {
    if (event.canonical.find("::PF67_PM_") != std::string::npos)
      throw UsageError(
          fmt::format("{} is a statistic of samples, not a count; see pmusim record --statistic", event.canonical));
    programmed.counters.push_back({event.canonical, event.counter, event.counter_index, {}});
  }
  return programmed;
}

Programmed programmed_writes(SessionSetup& setup, const std::vector<std::string>& texts) {
  RawWrites raw = parse_writes(setup, texts);
  for (const std::string& warning : lost_bits(*setup.target, setup.parameters, raw.registers))
    raw.warnings.push_back(warning);
  Programmed programmed{raw.registers, {}};
  programmed.raw = true;
  const auto selections = raw_selections(setup.target->name, programmed.registers);
  if (!selections) throw UsageError(selections.error().message);
  for (const encoder::Selection& selection : *selections)
    programmed.counters.push_back({selection.canonical, selection.counter, selection.counter_index, selection.notes});
  end_freeze(setup, programmed.registers);
  if (!raw.warnings.empty()) programmed.notes["warnings"] = raw.warnings;
  return programmed;
}

Json head_of(const SessionSetup& setup) {
  const bool threads = setup.traces.size() > 1;
  return Json{{"target", std::string(setup.target->name)},
              {threads ? "traces" : "trace", threads ? Json(setup.names) : Json(setup.names[0])}};
}

std::string head_line(const SessionSetup& setup, std::uint64_t instructions, std::uint64_t cycles,
                      std::string_view region) {
  return fmt::format("{} on {}: {} {}{}, {} cycles", fmt::join(setup.names, " and "), setup.target->name,
                     grouped(instructions), instruction_word(setup), region, grouped(cycles));
}

std::string_view instruction_word(const SessionSetup& setup) { return trace::unit_of(setup.target->isa); }

}  // namespace pmusim::testbench
