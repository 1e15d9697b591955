#include "testbench/cli/activity_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "models/activity/vocabulary.h"
#include "models/activity_file/tables.h"
#include "models/common/parameters.h"
#include "testbench/driver/session.h"
#include "testbench/store/this_program.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

constexpr std::string_view parameter_key = "parameter.";
constexpr std::string_view pmu_prefix = "pmu.";

}  // namespace

activity_file::Properties properties_of(const models::Target& target, const models::Parameters& parameters,
                                        const std::vector<InputFile>& traces) {
  activity_file::Properties properties;
  properties.set("target", std::string(target.name));
  properties.set("program", this_program());
  properties.set("threads", std::to_string(traces.size()));
  for (std::size_t i = 0; i < traces.size(); ++i) {
    properties.set(fmt::format("trace.{}", i), utf8(traces[i].path().filename().string()));
    properties.set(fmt::format("crc32.{}", i), fmt::format("{:08x}", traces[i].crc32()));
  }
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with(pmu_prefix))
      properties.set(std::string(parameter_key) + std::string(info.name), parameters.text(info.name));
  }
  return properties;
}

Recorded record_activity(const std::string& file, activity_file::Properties properties,
                         std::unique_ptr<core::Core> core, const Region& region, Cycle block_cycles, int level) {
  core->subscribe(activity::Subscription::everything());
  CoreSource source(std::move(core), region, false);
  properties.set("first_instruction", std::to_string(source.first()));
  activity_file::Writer writer(file, properties, level);
  const Cycle first = source.now();
  Silence silence(silence_of_run);
  while (const Block* const block = source.next(block_cycles)) {
    silence.add(*block);
    writer.write(*block, {source.instructions_of(0), source.instructions_of(1)});
  }
  writer.close();
  return {writer.blocks(), source.now() - first, source.instructions(), writer.bytes()};
}

const models::Target& target_of(const activity_file::Reader& reader, const std::string& wanted) {
  const auto name = reader.properties().get("target");
  if (!name) throw UsageError("{}: does not specify its target; the property 'target' is missing", reader.name());
  const models::Target* const target = models::find_target(*name);
  if (target == nullptr)
    throw UsageError("{}: activity of '{}', which is no target; pmusim targets lists them", reader.name(),
                     printable(*name));
  if (!wanted.empty() && wanted != *name)
    throw UsageError("{}: activity of {}, not of {}", reader.name(), *name, wanted);
  return *target;
}

std::vector<std::string> take_parameters(const activity_file::Reader& reader, models::Parameters& parameters) {
  std::vector<std::string> notes;
  for (const auto& [key, value] : reader.properties().all()) {
    if (!key.starts_with(parameter_key)) continue;
    const std::string name = key.substr(parameter_key.size());
    if (parameters.has(name) && !name.starts_with(pmu_prefix))
      parameters.set(name, std::string_view(value));
    else
      notes.push_back(fmt::format("{}: parameter '{}' of the recording is unknown", reader.name(), printable(name)));
  }
  return notes;
}

std::uint64_t first_instruction_of(const activity_file::Properties& properties, const std::string& file) {
  return parse_number(properties.get("first_instruction").value_or("0"), file + ": property 'first_instruction'");
}

unsigned threads_of(const activity_file::Reader& reader, const models::Target& target) {
  const std::string text = reader.properties().get("threads").value_or("1");
  const std::uint64_t threads = parse_number(text, reader.name() + ": property 'threads'");
  if (threads == 0 || threads > target.threads())
    throw UsageError("{}: {} hardware threads; target {} has {}", reader.name(), threads, target.name,
                     target.threads());
  return static_cast<unsigned>(threads);
}

namespace {

using activity::Block;
using activity::Cycle;

constexpr HelpText activity_dump_help{
    "pmusim activity dump FILE.pma [--range BEGIN:END] [--signal NAME ...]",
    "Prints the activity of each cycle: first the states that change, then the occurrences of signals with their\n"
    "details and the address of the instruction or request that they refer to. JSON output contains all fields.",
    "  pmusim activity dump lz77.pma --range 1000:1100\n"
    "  pmusim activity dump lz77.pma --signal retire --format json"};

struct Choice {
  Cycle begin = 0, end = activity::never;
  std::vector<bool> signals, states;
};

Choice choice_of(const Arguments& arguments, const std::vector<activity::Name>& signals,
                 const std::vector<activity::Name>& states) {
  Choice choice;
  if (const auto text = arguments.maybe<std::string>("range")) {
    const std::size_t colon = text->find(':');
    if (colon == std::string::npos) throw UsageError("--range '{}' is not of the form BEGIN:END, cycles", *text);
    if (colon > 0) choice.begin = parse_number(text->substr(0, colon), "begin of --range");
    if (colon + 1 < text->size()) choice.end = parse_number(text->substr(colon + 1), "end of --range");
    if (choice.begin >= choice.end) throw UsageError("--range '{}' is empty; BEGIN must be below END", *text);
  }
  const std::vector<std::string> wanted = arguments.list("signal");
  choice.signals.assign(signals.size(), wanted.empty());
  choice.states.assign(states.size(), wanted.empty());
  std::vector<std::string_view> names;
  for (const auto* list : {&signals, &states}) {
    for (const activity::Name& name : *list) names.push_back(name.name);
  }
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw UsageError("--signal: no signal or state '{}'{}", name, did_you_mean(name, names));
    const auto number = static_cast<std::size_t>(found - names.begin());
    (number < signals.size() ? choice.signals[number] : choice.states[number - signals.size()]) = true;
  }
  return choice;
}

/// The printed form of the rows of a block's tables.
class Records {
 public:
  explicit Records(const Block& block) {
    for (const activity_file::Table& table : activity_file::tables()) {
      auto& columns = tables_.emplace_back();
      for (const activity_file::Column& column : table.columns) column.get(block, columns.emplace_back());
    }
  }
  /// All fields that are not 0, of a table and of the table that extends it.
  [[nodiscard]] Json row(std::string_view name, std::size_t number) const {
    Json object = Json::object();
    const auto& all = activity_file::tables();
    for (std::size_t t = 0; t < all.size(); ++t) {
      const bool continues = all[t].name.ends_with('_' + std::string(name));
      if (all[t].name != name && !continues) continue;
      for (std::size_t c = 0; c < tables_[t].size(); ++c) {
        if (number >= tables_[t][c].size() || tables_[t][c][number] == 0) continue;
        const activity_file::ColumnName& column = all[t].columns[c].name;
        const std::uint64_t value = tables_[t][c][number];
        if (column.fields.empty())
          object[column.name] = value;
        else
          object[column.name] = activity::words(column.fields, value);
      }
    }
    return object;
  }

 private:
  std::vector<std::vector<activity_file::Numbers>> tables_;
};

class Dump {
 public:
  Dump(std::string_view target, const Choice& choice, bool json)
      : signals_(activity::signal_names(target)),
        states_(activity::state_names(target)),
        choice_(choice),
        json_(json) {}

  void print(const Block& block, bool first) {
    struct Line {
      Cycle cycle;
      bool of_signal;
      std::size_t number, index;
    };
    std::vector<Line> lines;
    const auto add = [&](Cycle cycle, bool of_signal, std::size_t number, std::size_t index) {
      if (cycle >= choice_.begin && cycle < choice_.end) lines.push_back({cycle, of_signal, number, index});
    };
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (!choice_.states[s]) continue;
      const activity::StateColumn& column = block.states[s];
      if (first && column.initial != 0) add(block.begin, false, s, 0);
      for (std::size_t i = 0; i < column.changes.size(); ++i) add(block.begin + column.changes[i].at, false, s, i + 1);
    }
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      if (!choice_.signals[s]) continue;
      for (std::size_t i = 0; i < block.columns[s].size(); ++i) add(block.begin + block.columns[s][i].at, true, s, i);
    }
    std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
      return std::tie(a.cycle, a.of_signal, a.number) < std::tie(b.cycle, b.of_signal, b.number);
    });
    const Records records(block);
    for (const Line& line : lines) {
      if (line.of_signal)
        print_occurrence(block, records, line.cycle, line.number, block.columns[line.number][line.index]);
      else
        print_state(line.cycle, line.number,
                    line.index == 0 ? block.states[line.number].initial
                                    : block.states[line.number].changes[line.index - 1].value);
    }
  }

 private:
  void print_state(Cycle cycle, std::size_t state, std::uint64_t value) {
    const std::string words = activity::words(states_[state].fields, value);
    if (json_) {
      std::cout << line_of(Json{{"cycle", cycle}, {"state", states_[state].name}, {"value", value}, {"words", words}})
                << '\n';
    } else {
      std::cout << fmt::format("{:>10}  {} = {}{}\n", cycle, states_[state].name, value,
                               states_[state].fields.empty() || words.empty() ? "" : "  " + words);
    }
  }

  void print_occurrence(const Block& block, const Records& records, Cycle cycle, std::size_t signal,
                        const activity::Occurrence& occurrence) {
    const activity::Name& name = signals_[signal];
    const std::string words = activity::words(name.fields, occurrence.detail);
    const bool of_request = activity::refers_to_request(static_cast<activity::Signal>(signal));
    const char* const table = of_request ? "request" : "instruction";
    const bool refers = occurrence.ref != activity::no_ref &&
                        occurrence.ref < (of_request ? block.requests.size() : block.instructions.size());
    if (json_) {
      Json object{{"cycle", cycle}, {"signal", name.name}, {"amount", occurrence.amount}, {"detail", words}};
      if (refers) object[table] = records.row(table, occurrence.ref);
      std::cout << line_of(object) << '\n';
      return;
    }
    std::string line = fmt::format("{:>10}  {}", cycle, name.name);
    if (occurrence.amount != 1) line += fmt::format(" x{}", occurrence.amount);
    if (!words.empty()) line += "  " + words;
    if (refers && of_request) {
      const activity::RequestRecord& request = block.requests[occurrence.ref];
      line += fmt::format("  request {} of {} bytes at {:#x}", request.id, request.size, request.address);
    } else if (refers) {
      const activity::InstructionRecord& instruction = block.instructions[occurrence.ref];
      line += fmt::format("  instruction at {:#x}{}{}", instruction.ip,
                          block.syllables.empty() ? "" : fmt::format(".{}", instruction.slot),
                          instruction.wrong_path ? " of the wrong path" : "");
    }
    std::cout << line << '\n';
  }

  std::vector<activity::Name> signals_, states_;
  const Choice& choice_;
  bool json_;
};

}  // namespace

Options salvage_option() {
  return {{"salvage", po::flag(), "read the blocks of a damaged file that precede the damage"}};
}

activity_file::ReadOptions reading_options(const Arguments& arguments) {
  return {arguments.get<bool>("salvage"),
          [](const std::string& what) { std::cerr << "pmusim: salvaged: " << what << '\n'; }};
}

namespace {

Options activity_dump_options() {
  return Options{{"range", po::text(), "BEGIN:END: print only these cycles"},
                 {"signal", po::texts(), "print only this signal or state; repeat for more"}} +
         salvage_option();
}

int run_activity_dump(const Arguments& arguments) {
  if (arguments.positional().size() != 1) throw UsageError("activity dump: name one .pma file");
  if (arguments.format() == Format::csv) throw UsageError("--format csv: activity dump has text and json");
  activity_file::Reader reader(arguments.positional()[0], reading_options(arguments));
  const std::string target = reader.properties().get("target").value_or("");
  const Choice choice = choice_of(arguments, activity::signal_names(target), activity::state_names(target));
  Dump dump(target, choice, arguments.format() == Format::json);
  Block block;
  while (reader.next(block)) {
    if (block.begin >= choice.end) break;
    if (block.end >= choice.begin) dump.print(block, reader.blocks() == 1);
  }
  return exit_good;
}

}  // namespace

const CommandBody activity_dump_body{activity_dump_help, activity_dump_options, run_activity_dump};

}  // namespace pmusim::testbench
