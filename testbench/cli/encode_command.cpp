// pmusim encode: event names to register values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/output_file.h"
#include "testbench/cli/command.h"
#include "testbench/cli/command_facts.h"
#include "testbench/cli/differences.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/perf_names.h"
#include "testbench/cli/programmed.h"
#include "testbench/faults/encoder_trials.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/question.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

/// All options of a question in words; empty if there are none.
std::string options_of(const std::string& target, const Group& group) {
  std::vector<std::string> words;
  const std::size_t counters = questions::family_of(target)->counters.size();
  std::vector<unsigned> left;
  for (unsigned counter = 0; counter < counters; ++counter) {
    const auto& reserved = group.unavailable_counters;
    if (std::ranges::find(reserved, counter) == reserved.end()) left.push_back(counter);
  }
  if (left.size() == 1) {
    words.push_back(fmt::format("counter {}", left.front()));
  } else if (left.size() < counters) {
    words.push_back(left.empty() ? "no counter" : fmt::format("counters {}", fmt::join(left, " ")));
  }
  if (std::string filters = words_of(group.filters); !filters.empty()) words.push_back(std::move(filters));
  if (group.period != 0) words.push_back(fmt::format("period {}", group.period));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The encoder's answer; a refusal is an answer, too.
Json answer_to(EncoderUnderTest& encoder, const std::string& target, const Group& group) {
  std::vector<std::string> events;
  for (const Check& check : group.checks) events.push_back(check.text());
  Json object{{"target", target}, {"event", fmt::format("{}", fmt::join(events, ", "))}, {"sampling", group.samples()}};
  if (const std::string options = options_of(target, group); !options.empty()) object["options"] = options;
  const Answer answer = encoder.encode(target, group);
  if (answer.status != Answer::Status::encoded) {
    object["refused"] = answer.message;
    return object;
  }
  object["counter"] = fmt::format("{}", fmt::join(answer.counters, ", "));
  object["registers"] = Json::object();
  for (const encoder::RegisterValue& reg : answer.registers) object["registers"][reg.name] = hex(reg.value, reg.width);
  if (!answer.presets.empty()) {
    std::vector<std::string> starts;
    for (const std::uint64_t preset : answer.presets) starts.push_back(hex(preset, 0));
    object["starts"] = fmt::format("{}", fmt::join(starts, ", "));
  }
  return object;
}

/// The answers to all questions of a target, one by one.
void each_answer(const std::string& target, const std::function<void(const Json& answer)>& with) {
  const std::unique_ptr<EncoderUnderTest> encoder = own_encoder();
  for (const questions::Question& question : questions::questions_of(target, questions::Extent::full))
    with(answer_to(*encoder, target, question.group));
}

std::string key_of(const Json& answer) {
  const std::string options = answer.value("options", "");
  return fmt::format("{} {}{}{}", answer.at("target").get<std::string>(), answer.at("event").get<std::string>(),
                     options.empty() ? "" : fmt::format(" ({})", options),
                     answer.at("sampling").get<bool>() ? " (sampling)" : "");
}

std::map<std::string, Json> read(const std::filesystem::path& file) {
  TextLines lines(file);
  std::map<std::string, Json> answers;
  for (std::string line; lines.next(line);) {
    const std::uint64_t number = lines.number();
    try {
      Json answer = Json::parse(line);
      const std::string key = key_of(answer);
      const Json registers = answer.value("registers", Json::object());
      for (const auto& [name, value] : registers.items()) {
        std::stoull(value.get<std::string>(), nullptr, 16);
      }
      for (const char* const what : {"refused", "counter", "starts"}) static_cast<void>(answer.value(what, ""));
      answers[key] = std::move(answer);
    } catch (const std::exception&) {
      throw UsageError("{}:{}: not a line that pmusim encode --all --snapshot writes", file.string(), number);
    }
  }
  if (answers.empty()) throw UsageError("{}: an empty snapshot; write one with --snapshot", file.string());
  return answers;
}

/// Prints the differences of two answers; true if there are none.
bool same(const std::string& key, const Json& before, const Json& now) {
  if (before == now) return true;
  for (const char* const what : {"refused", "counter", "starts"}) {
    if (before.value(what, "") == now.value(what, "")) continue;
    const auto shown = [&](const Json& answer) {
      return answer.contains(what) ? answer[what].get<std::string>() : "no";
    };
    std::cout << fmt::format("{}: {} is '{}', was '{}'\n", key, what, shown(now), shown(before));
  }
  const Json none = Json::object();
  const Json old_registers = before.value("registers", none), new_registers = now.value("registers", none);
  const std::string target = now.at("target");
  for (const auto& [name, value] : new_registers.items()) {
    const std::string is = value;
    if (!old_registers.contains(name)) {
      std::cout << fmt::format("{}: {} is {}, was not written\n", key, name, is);
    } else if (const std::string was = old_registers[name]; was != is) {
      const std::uint64_t before_bits = std::stoull(was, nullptr, 16), bits = std::stoull(is, nullptr, 16);
      const std::vector<std::string> fields = field_changes(target, name, before_bits, bits);
      for (const std::string& field : fields) std::cout << fmt::format("{}: {} {}\n", key, name, field);
      if (fields.empty())
        std::cout << fmt::format("{}: {} is {}, was {}\n", key, name, hex(bits, 0), hex(before_bits, 0));
    }
  }
  for (const auto& [name, value] : old_registers.items()) {
    if (!new_registers.contains(name)) {
      std::cout << fmt::format("{}: {} is not written, was {}\n", key, name, value.get<std::string>());
    }
  }
  return false;
}

/// Encodes every event and unit mask of the targets: plain, for sampling, with each attribute at its limits and on each
/// counter; full sets of events; on IA-64, filters of the run. Writes one JSON line for each. The file is complete or
/// absent. Throws UsageError for a file that cannot be written.
void write_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file) {
  trace::OutputFile out(file);
  for (const std::string& target : targets) {
    each_answer(target, [&](const Json& answer) { out.write(answer.dump() + '\n'); });
  }
  out.close();
}

/// Encodes everything again and prints every difference by register and field. Returns true if there is none. Throws
/// UsageError for a file that is not a snapshot.
bool compare_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file) {
  std::map<std::string, Json> before = read(file);
  std::size_t compared = 0, different = 0;
  for (const std::string& target : targets) {
    each_answer(target, [&](const Json& now) {
      const std::string key = key_of(now);
      const auto found = before.find(key);
      ++compared;
      if (found == before.end()) {
        std::cout << fmt::format("{}: new\n", key);
        ++different;
        return;
      }
      if (!same(key, found->second, now)) ++different;
      before.erase(found);
    });
  }
  // Questions to targets that are not compared now are ignored.
  std::erase_if(before, [&](const auto& entry) {
    return std::ranges::find(targets, entry.second.at("target").template get<std::string>()) == targets.end();
  });
  for (const auto& [key, answer] : before) std::cout << fmt::format("{}: gone\n", key);
  different += before.size();
  std::cout << fmt::format("{} encodings, {} different\n", grouped(compared), grouped(different));
  return different == 0;
}

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
  arguments.refuse({"event", "all", "snapshot", "compare"}, "does not go with --serve");
  std::ios::sync_with_stdio(false);  // else lines are read byte by byte
  const auto name = arguments.maybe<std::string>("defect");
  if (!name) {
    faults::serve(std::cin, std::cout);
    return exit_good;
  }
  const std::string target =
      arguments.required("target", fmt::format("a defect is one of a target's encoder; {}", examples::add_a_target));
  check_encodable(target);
  const std::vector<faults::EncoderFault> defects = faults::encoder_faults_of(target);
  const auto found = std::ranges::find_if(defects, [&](const auto& defect) { return defect.name == *name; });
  if (found == defects.end()) {
    std::vector<std::string_view> names;
    names.reserve(defects.size());
    for (const faults::EncoderFault& defect : defects) names.push_back(defect.name);
    const std::string nearest = models::nearest(*name, names);
    throw UsageError("--defect '{}' is none of {}{}", *name, target,
                     nearest.empty() ? "; pmusim validate --defects lists them" : "; did you mean " + nearest + '?');
  }
  faults::serve(std::cin, std::cout, &*found);
  return exit_good;
}

/// The events in perf's forms, in their order.
std::vector<PerfEvent> perf_events(const std::string& target, const encoder::Encoding& encoding,
                                   const encoder::Qualifiers& filters) {
  const CommandFacts* const facts = find_command_facts(target);
  if (facts == nullptr || facts->perf.event == nullptr)
    throw UsageError("--perf: {}", facts == nullptr ? "no form is known" : facts->perf.why_not);
  if (!filters.empty()) throw UsageError("--perf: perf has no filters of a run");
  std::vector<PerfEvent> events;
  for (const encoder::EncodedEvent& event : encoding.events) events.push_back(facts->perf.event(encoding, event));
  return events;
}

Options encode_options() {
  return Options{
             {"target,t", po::text(), "target"},
             {"event,e", po::texts(), "event, or several separated by commas; repeat for more counters"},
             {"sampling", po::flag(), "enable the overflow interrupt of each counter used"},
             {"perf", po::flag(), "add the events in the forms of Linux's perf"},
             {"all", po::flag(), "encode every event of the target, or of all targets; for --snapshot or --compare"},
             {"serve", po::flag(), "answer requests as a foreign encoder does, one JSON object per line"},
             {"defect", po::text(), "with --serve: name of the defect in the answers"},
             {"snapshot", po::text(), "write all encodings to this file"},
             {"compare", po::text(), "compare with this file of --snapshot"}} +
         qualifier_options();
}

int run_encode(const Arguments& arguments) {
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
    for (const encoder::RegisterValue& reg : encoding->registers)
      object["registers"].push_back(testbench::to_json(reg));
    for (const encoder::RegisterValue& reg : encoding->images) object["images"].push_back(testbench::to_json(reg));
    for (const PerfEvent& event : perf) object["perf"].push_back({{"event", event.named}, {"raw", event.raw}});
    object.update(notes);
    return print_object(object);
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

}  // namespace

const CommandBody encode_body{encode_help, encode_options, run_encode};

}  // namespace pmusim::testbench
