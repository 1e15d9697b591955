// pmusim encode: event names to register values.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "models/common/parameters.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/cli/command.h"
#include "testbench/cli/command_facts.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/generic_events.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/cli/snapshot.h"
#include "testbench/faults/serve.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText encode_help{
    "pmusim encode -t TARGET -e EVENT[:UMASK][:ATTR]... [-e ...] [--sampling] [FILTER ...]\n"
    "       pmusim encode --all [-t TARGET] --snapshot FILE | --compare FILE\n"
    "       pmusim encode --serve [-t TARGET --defect NAME]",
    "Prints the register values that make the counters count the named events, in write order, and the full name of\n"
    "each event. --sampling also sets the overflow interrupt enables.\n"
    "--perf adds each event as Linux's perf takes it with -e, where perf has a driver for the processor.\n"
    "Filters apply to all events of the run. The output lists the address ranges that the registers cover, which can\n"
    "be larger than the requested ones.\n"
    "--all encodes every event: plain, for sampling, with each attribute at its limits and on each counter; full sets\n"
    "of events; and filters of a run. --snapshot writes these encodings to a file; --compare lists what has changed\n"
    "since, field by field, with exit code 1 if anything has.\n"
    "--serve answers the requests of `pmusim validate --encoder` on standard input; --defect puts a defect into the\n"
    "answers, named as in `pmusim validate --defects`.",
    examples::encode};

/// Without -t: all targets that the encoder supports.
int run_snapshot(const Arguments& arguments) {
  const auto write = arguments.maybe<std::string>("snapshot"), compare = arguments.maybe<std::string>("compare");
  if (!arguments.get<bool>("all")) throw UsageError("--snapshot and --compare are for --all encodings; add --all");
  if (write.has_value() == compare.has_value()) {
    throw UsageError("--all needs one of --snapshot FILE, which writes, and --compare FILE, which reads");
  }
  if (arguments.has("event")) throw UsageError("--all encodes every event; leave --event out");
  std::vector<std::string> targets;
  if (const auto target = arguments.maybe<std::string>("target")) {
    check_encodable(*target);
    targets.push_back(*target);
  } else {
    for (const encoder::TargetInfo& target : encoder::targets()) targets.emplace_back(target.name);
  }
  if (compare) return compare_snapshot(targets, *compare) ? exit_good : exit_mismatch;
  write_snapshot(targets, *write);
  return exit_good;
}

/// Answers requests in the protocol of foreign encoders until the input ends.
int run_serve(const Arguments& arguments) {
  for (const char* option : {"event", "all", "snapshot", "compare"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --serve", option));
  }
  const auto name = arguments.maybe<std::string>("defect");
  if (!name) {
    faults::serve(std::cin, std::cout);
    return exit_good;
  }
  const std::string target =
      arguments.required("target", fmt::format("a defect is one of a target's encoder; {}", examples::add_a_target));
  check_encodable(target);
  const std::vector<faults::EncoderFault> defects = faults::encoder_faults_of(target);
  const auto found =
      std::find_if(defects.begin(), defects.end(), [&](const auto& defect) { return defect.name == *name; });
  if (found == defects.end()) {
    std::vector<std::string_view> names;
    names.reserve(defects.size());
    for (const faults::EncoderFault& defect : defects) names.push_back(defect.name);
    const std::string nearest = models::nearest(*name, names);
    throw UsageError(
        fmt::format("--defect '{}' is none of {}{}", *name, target,
                    nearest.empty() ? "; pmusim validate --defects lists them" : "; did you mean " + nearest + '?'));
  }
  faults::serve(std::cin, std::cout, &*found);
  return exit_good;
}

/// The events in perf's forms, in their order.
std::vector<PerfEvent> perf_events(const std::string& target, const encoder::Encoding& encoding,
                                   const encoder::Qualifiers& filters) {
  const CommandFacts* const facts = find_command_facts(target);
  if (facts == nullptr || facts->perf.event == nullptr)
    throw UsageError(fmt::format("--perf: {}", facts == nullptr ? "no form is known" : facts->perf.why_not));
  if (!filters.empty()) throw UsageError("--perf: perf has no filters of a run");
  std::vector<PerfEvent> events;
  for (const encoder::EncodedEvent& event : encoding.events) events.push_back(facts->perf.event(encoding, event));
  return events;
}

}  // namespace

int run_encode(const std::vector<std::string>& list) {
  Arguments::Description options("options");
  options.add_options()("target,t", po::value<std::string>(), "target")(
      "event,e", po::value<std::vector<std::string>>(),
      "event, or several separated by commas; repeat for more counters")(
      "sampling", po::bool_switch(), "enable the overflow interrupt of each counter used")(
      "perf", po::bool_switch(), "add the events in the forms of Linux's perf")(
      "all", po::bool_switch(), "encode every event of the target, or of all targets; for --snapshot or --compare")(
      "serve", po::bool_switch(), "answer requests as a foreign encoder does, one JSON object per line")(
      "defect", po::value<std::string>(), "with --serve: name of the defect in the answers")(
      "snapshot", po::value<std::string>(), "write all encodings to this file")("compare", po::value<std::string>(),
                                                                                "compare with this file of --snapshot");
  add_qualifier_options(options);
  const Arguments arguments(list, options, encode_help);
  if (arguments.help_shown()) return exit_good;
  if (arguments.get<bool>("serve")) return run_serve(arguments);
  if (arguments.has("defect")) throw UsageError("--defect goes with --serve");
  if (arguments.get<bool>("all") || arguments.has("snapshot") || arguments.has("compare"))
    return run_snapshot(arguments);
  const std::string target = arguments.required("target", examples::name_a_target);
  check_encodable(target);
  const std::vector<std::string> events = named_event_list(arguments, target);
  if (events.empty()) throw UsageError("--event is missing: name at least one, as in -e RETIRED_INSTRUCTIONS");
  encoder::EncodeOptions encoding_options;
  encoding_options.sampling = arguments.get<bool>("sampling");
  encoding_options.qualifiers = qualifiers_of(arguments, target);
  const auto encoding = encoder::encode(target, events, encoding_options);
  if (!encoding) throw UsageError(encoding.error().message);
  Json notes = Json::object();
  add_notes(*encoding, notes);
  std::vector<PerfEvent> perf;
  if (arguments.get<bool>("perf")) perf = perf_events(target, *encoding, encoding_options.qualifiers);

  if (arguments.format() == Format::json) {
    Json object{{"target", target}, {"events", Json::array()}, {"registers", Json::array()}};
    for (const encoder::EncodedEvent& event : encoding->events)
      object["events"].push_back({{"event", event.canonical}, {"counter", event.counter}});
    for (const encoder::RegisterValue& reg : encoding->registers) object["registers"].push_back(to_json(reg));
    for (const encoder::RegisterValue& reg : encoding->images) object["images"].push_back(to_json(reg));
    for (const PerfEvent& event : perf) object["perf"].push_back({{"event", event.named}, {"raw", event.raw}});
    object.update(notes);
    std::cout << line_of(object) << '\n';
    return exit_good;
  }
  Table registers({{"space", "space"}, {"number", "number", true}, {"name", "register"}, {"value", "value", true}});
  for (const encoder::RegisterValue& reg : encoding->registers)
    registers.row({reg.space, hex(reg.number, reg.number > 0xffff ? 32 : 12), reg.name, hex(reg.value, reg.width)});
  registers.print(std::cout, arguments.format());
  if (arguments.format() == Format::text) {
    std::cout << '\n';
    for (const encoder::RegisterValue& reg : encoding->images)
      std::cout << fmt::format("{} then holds {}\n", reg.name, hex(reg.value, reg.width));
    for (const encoder::EncodedEvent& event : encoding->events)
      print_wrapped(std::cout, fmt::format("{}: {}", event.counter, event.canonical));
    for (const PerfEvent& event : perf)
      print_wrapped(std::cout, fmt::format("perf stat -e {}    or {}", event.named, event.raw));
    for (const std::string& line : note_lines(notes)) print_wrapped(std::cout, line);
  }
  return exit_good;
}

}  // namespace pmusim::testbench
