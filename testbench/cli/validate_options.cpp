#include "testbench/cli/validate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "models/targets.h"
#include "testbench/cli/cache_options.h"
#include "testbench/cli/command.h"
#include "testbench/cli/recordings.h"

namespace pmusim::testbench {
namespace {

/// Applies --set to the targets that have the parameter. At least one target must have it.
std::map<std::string, models::Parameters> parameters_of(const std::vector<std::string>& targets,
                                                        const std::vector<std::string>& settings) {
  std::map<std::string, models::Parameters> parameters;
  for (const std::string& target : targets) parameters[target] = models::find_target(target)->parameters();
  for (const std::string& setting : settings) {
    const auto [name, value] = parse_assignment(setting, "--set");
    bool known = false;
    for (auto& [target, set] : parameters) {
      if (!set.has(name) && parameters.size() > 1) continue;
      set.set(name, std::string_view(value));
      known = true;
    }
    if (!known) parameters.begin()->second.set(name, std::string_view(value));  // throws an error with the nearest name
  }
  return parameters;
}

/// The target that has two hardware threads.
std::string_view with_two_threads() {
  const auto all = models::targets();
  return std::find_if(all.begin(), all.end(), [](const models::Target& t) { return t.threads() > 1; })->name;
}

void check_second(const std::vector<std::string>& targets, bool alone) {
  if (alone) throw UsageError("--second runs beside a --trace; give --trace, too");
  for (const std::string& target : targets) {
    if (models::find_target(target)->threads() < 2) {
      throw UsageError(fmt::format("--second: {} has one hardware thread; {} has two", target, with_two_threads()));
    }
  }
}

/// Refuses options that do not go together.
void check_together(const Arguments& arguments) {
  for (const char* option : {"sample", "as-shipped", "floor"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} goes with --mutate", option));
  }
  if (arguments.has("markdown")) throw UsageError("--markdown goes with --mutate or --gallery");
  if (arguments.has("journal") && arguments.has("resume"))
    throw UsageError("--resume does not go with --journal; it is the older name of --journal");
  for (const char* option : {"trace", "activity", "quick"}) {
    if (arguments.get<bool>("all-traces") && arguments.has(option))
      throw UsageError(fmt::format("--all-traces does not go with --{}", option));
  }
}

}  // namespace

Arguments::Description validate_options() {
  Arguments::Description options("options");
  options.add_options()("target,t", po::value<std::string>()->default_value("all"), "one target, or all")(
      "trace", po::value<std::vector<std::string>>(), "trace file; repeat for more; default: the shipped traces")(
      "all-traces", po::bool_switch(), "all shipped traces, including long ones that add no event to the others")(
      "activity", po::value<std::vector<std::string>>(),
      "file written by pmusim activity record or another program, instead of traces; repeat for more")(
      "second", po::value<std::string>(), "trace for the other hardware thread, beside each --trace")(
      "encoder", po::value<std::string>(), "judge this program instead of pmusim's own encoder")(
      "encoder-timeout", po::value<unsigned>()->default_value(10), "maximum seconds per answer of the program")(
      "sandbox", po::bool_switch(), "run the program under bubblewrap: no network, no home folder, read-only files")(
      "conformance", po::bool_switch(), "with --encoder and -t: check that the program follows the protocol")(
      "only", po::value<std::string>()->default_value(""),
      "events to judge: name prefixes, or patterns with * and ?; case-insensitive, separated by commas; ! excludes")(
      "question", po::value<std::vector<std::string>>(),
      "judge one question, named as in a mismatch; repeat for more, which are asked in that order")(
      "quick", po::bool_switch(), "judge every event and every attribute value once; takes seconds")(
      "require-coverage", po::value<double>()->default_value(0),
      "PERCENT of the events that the encoder must know; exit code 1 if it knows fewer")(
      "verbose", po::bool_switch(), "list every event and every recorded mismatch")(
      "set", po::value<std::vector<std::string>>(), "NAME=VALUE: set a parameter of the core or PMU")(
      "jobs", po::value<unsigned>()->default_value(std::max(1u, std::thread::hardware_concurrency())),
      "number of parallel processes")("shard", po::value<std::string>()->default_value("1/1"),
                                      "I/N: run the I-th of N parts")(
      "journal", po::value<std::string>(), "file that records finished jobs; an interrupted run resumes from it")(
      "resume", po::value<std::string>(), "older name of --journal")(
      "merge", po::value<std::vector<std::string>>()->multitoken(),
      "report on the whole from the journals of all parts")("junit", po::value<std::string>(),
                                                            "write a JUnit report to this file")(
      "gallery", po::bool_switch(),
      "judge encoders of other projects whose faults are known (docs/judged-encoders.md)")(
      "defects", po::bool_switch(), "judge encoders with seeded defects; check that each one is noticed")(
      "mutate", po::bool_switch(),
      "flip the bits of the answers, one at a time; report how many of them a run of this command notices")(
      "sample", po::value<std::uint64_t>()->default_value(0),
      "with --mutate: use a sample of N bits that make a difference per target (docs/evidence.md)")(
      "as-shipped", po::bool_switch(), "with --mutate: has no effect any more")(
      "floor", po::value<double>()->default_value(100),
      "with --mutate: PERCENT of these bits that must be noticed; exit code 1 if fewer are")(
      "markdown", po::bool_switch(), "with --mutate or --gallery: print the table of the documentation");
  add_cache_options(options);
  return options;
}

ValidateRequest::ValidateRequest(const Arguments& arguments) {
  check_together(arguments);
  recordings = recordings_of(arguments);
  wanted = recordings.empty() ? targets_of(arguments.get<std::string>("target")) : recorded_targets(recordings);
  settings = arguments.list("set");
  parameters = parameters_of(wanted, settings);
  shard = parse_shard(arguments.get<std::string>("shard"));
  choice = {arguments.get<std::string>("only"), arguments.list("question"),
            arguments.get<bool>("quick") ? questions::Extent::quick : questions::Extent::full};
  targets = selected_targets(wanted, choice.only);
  program = foreign_program(arguments);
  traces = arguments.list("trace");
  second = arguments.maybe<std::string>("second").value_or("");
  if (!second.empty()) check_second(targets, traces.empty());
  all_traces = arguments.get<bool>("all-traces");
  journal = arguments.maybe<std::string>(arguments.has("journal") ? "journal" : "resume");
}

}  // namespace pmusim::testbench
