#include "testbench/cli/programmed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pmusim/trace/numbering.h"
#include "testbench/driver/firmware.h"
#include "testbench/explain/raw_counters.h"
#include "testbench/judge/question/plan.h"

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
      throw UsageError("{} is a statistic of samples, not a count; see pmusim record --statistic", event.canonical);
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

namespace {

Json to_json(const std::vector<encoder::CoveredRange>& ranges) {
  Json list = Json::array();
  for (const encoder::CoveredRange& range : ranges)
    list.push_back({{"start", hex(range.start, 64)}, {"end", hex(range.end, 64)}});
  return list;
}

}  // namespace

Options qualifier_options() {
  Options options;
  options.group = "filters of the whole run (IA-64 targets)";
  options.group_rows = {
      {"irange", po::texts("START-END[:PLM]"),
       "count only code at these addresses, END exclusive; both multiples of 16. Up to four ranges; "
       "PLM: privilege levels at which the range is compared"},
      {"drange", po::texts("START-END[:PLM]"),
       "count only accesses to these data addresses; up to four ranges. PLM is written to the register; no monitor "
       "uses "
       "it"},
      {"no-fine", po::flag(), "encode code ranges as aligned blocks, without fine mode (bounds inside a 4 KiB page)"},
      {"inverse", po::flag(), "count only code outside of --irange"},
      {"opcode", po::texts("MATCH/MASK[:mifb]"),
       "count only instructions whose 41 bits equal MATCH where MASK is 0, in slots of these types. Up to two: "
       "itanium2 "
       "PMC8 and PMC9, where bits 26 to 13 of MASK must be 1; montecito PMC32-33 and PMC34-35"},
      {"ear", po::texts("KEY=VALUE,..."),
       "program an event address register: unit=data|instruction, mode=cache|tlb|alat, then latency=N, "
       "level=l2+vhpt+fault or umask=N; plm=N, ism=both|ia32|ia64. One per unit"},
      {"btb", po::texts("KEY=VALUE,..."),
       "program the branch trace buffer: tm=taken|nottaken|all, ptm=wrong|right|all, ppm=wrong|right|all, "
       "brt=all|iprel|return|indirect, ds=target|prediction, plm=N"},
      {"etb", po::texts("KEY=VALUE,..."), "the same under its montecito name (execution trace buffer), without ds"},
      {"ipear", po::texts("KEY=VALUE,..."),
       "montecito: the buffer records the addresses of retiring bundles instead of branches: delay=N, number of cycles "
       "by which it freezes later than the counters; plm=N"},
      {"fetch", po::texts("KIND"),
       "montecito: apply --irange to demand fetches, prefetches or both, for events that count both kinds"}};
  return options;
}

encoder::Qualifiers qualifiers_of(const Arguments& arguments, std::string_view target) {
  encoder::QualifierTexts texts;
  for (const auto& [name, list] : filter_lists) texts.*list = arguments.list(std::string(name));
  texts.no_fine = arguments.get<bool>("no-fine");
  texts.inverse = arguments.get<bool>("inverse");
  auto qualifiers = encoder::parse_qualifiers(target, texts);
  if (!qualifiers) throw UsageError(qualifiers.error().message);
  return *std::move(qualifiers);
}

void add_notes(const encoder::Encoding& encoding, Json& object) {
  if (!encoding.code.empty()) object["code_ranges"] = to_json(encoding.code);
  if (!encoding.data.empty()) object["data_ranges"] = to_json(encoding.data);
  if (!encoding.sample_registers.empty()) object["sample_registers"] = encoding.sample_registers;
  if (!encoding.warnings.empty()) object["warnings"] = encoding.warnings;
}

std::vector<std::string> note_lines(const Json& object) {
  std::vector<std::string> lines;
  const auto each = [&](const char* key, const auto& text) {
    if (!object.contains(key)) return;
    for (const Json& value : object.at(key)) lines.push_back(text(value));
  };
  const auto covered = [](const char* what) {
    return [what](const Json& range) {
      return fmt::format("{} range covers {} to {}", what, range.at("start").get<std::string>(),
                         range.at("end").get<std::string>());
    };
  };
  each("code_ranges", covered("code"));
  each("data_ranges", covered("data"));
  each("warnings", [](const Json& warning) { return "warning: " + warning.get<std::string>(); });
  return lines;
}

}  // namespace pmusim::testbench
