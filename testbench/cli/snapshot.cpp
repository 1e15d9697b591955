#include "testbench/cli/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/output_file.h"
#include "testbench/cli/command.h"
#include "testbench/cli/output.h"

namespace pmusim::testbench {
namespace {

/// What is asked: events together, with or without overflow interrupts, on what is left of the counters, under filters.
struct Question {
  std::vector<std::string> events;
  bool sampling = false;
  std::optional<unsigned> counter = {};  ///< the only one that is left
  encoder::QualifierTexts filters = {};
  std::string words = {};  ///< the filters as options
};

/// A filter of IA-64 runs, each where it is most easily wrong: bounds that fine mode and blocks cover differently, ...
struct Filter {
  std::string_view words;
  encoder::QualifierTexts texts;
};
const std::vector<Filter>& filters() {
  static const std::vector<Filter> list{
      {"--irange 0x4000000000000410-0x4000000000000a30", {.irange = {"0x4000000000000410-0x4000000000000a30"}}},
      {"--irange 0x4000000000000000-0x4000000000012340", {.irange = {"0x4000000000000000-0x4000000000012340"}}},
      {"--irange 0x4000000000000400-0x4000000000000480 --no-fine",
       {.irange = {"0x4000000000000400-0x4000000000000480"}, .no_fine = true}},
      {"--irange 0x4000000000000400-0x4000000000000480 --inverse",
       {.irange = {"0x4000000000000400-0x4000000000000480"}, .inverse = true}},
      {"--drange 0x6000000000000008-0x6000000000001230", {.drange = {"0x6000000000000008-0x6000000000001230"}}},
      {"--opcode 0x8000000000/0x7ffffffffff:mi", {.opcode = {"0x8000000000/0x7ffffffffff:mi"}}},
      {"--ear unit=data,mode=cache,latency=8", {.ear = {"unit=data,mode=cache,latency=8"}}},
      {"--ear unit=instruction,mode=tlb", {.ear = {"unit=instruction,mode=tlb"}}},
      {"--btb tm=taken", {.btb = {"tm=taken"}}}};
  return list;
}

unsigned counters_of(const std::string& target) {
  for (const encoder::TargetInfo& info : encoder::targets()) {
    if (info.name == target) return info.counters;
  }
  return 0;
}

std::vector<std::string> rows_of(const encoder::EventInfo& event) {
  std::vector<std::string> rows;
  for (const encoder::UnitMaskInfo& mask : event.unit_masks) rows.push_back(event.name + ':' + mask.name);
  if (rows.empty()) rows.push_back(event.name);
  return rows;
}

/// The attributes of an event at their limits.
std::vector<std::string> attributes_of(const std::string& target, const encoder::EventInfo& event) {
  std::vector<std::string> texts;
  for (const encoder::AttributeInfo& attribute : *encoder::attributes(target)) {
    if (std::find(event.attributes.begin(), event.attributes.end(), attribute.name) == event.attributes.end()) continue;
    texts.push_back(fmt::format(":{}={}", attribute.name, attribute.minimum));
    texts.push_back(fmt::format(":{}={}", attribute.name, attribute.maximum));
  }
  return texts;
}

/// One event for every set of filters that events honour.
std::vector<std::string> filtered_rows(const std::vector<encoder::EventInfo>& events) {
  std::vector<std::string> rows;
  std::set<std::vector<std::string>> seen;
  for (const encoder::EventInfo& event : events) {
    if (seen.insert(event.filters).second) rows.push_back(rows_of(event).front());
  }
  return rows;
}

std::vector<Question> questions_of(const std::string& target) {
  const auto events = encoder::events(target);
  if (!events) throw UsageError(events.error().message);
  const unsigned counters = counters_of(target);
  std::vector<Question> questions;
  std::vector<std::string> all;
  for (const encoder::EventInfo& event : *events) {
    const std::vector<std::string> attributes = attributes_of(target, event);
    for (const std::string& row : rows_of(event)) {
      all.push_back(row);
      questions.push_back({.events = {row}});
      questions.push_back({.events = {row}, .sampling = true});
      for (const std::string& attribute : attributes) questions.push_back({.events = {row + attribute}});
      for (unsigned counter = 0; counter < counters; ++counter)
        questions.push_back({.events = {row}, .counter = counter});
    }
  }
  if (const auto passes = encoder::split_passes(target, all)) {
    for (const std::vector<std::string>& pass : *passes) {
      if (pass.size() > 1) questions.push_back({.events = pass});
    }
  }
  if (target != "itanium2" && target != "montecito") return questions;
  for (const std::string& row : filtered_rows(*events)) {
    for (const Filter& filter : filters())
      questions.push_back({.events = {row}, .filters = filter.texts, .words = std::string(filter.words)});
  }
  return questions;
}

/// All options of a question in words; empty for a plain one.
std::string options_of(const Question& question) {
  if (question.counter) return fmt::format("counter {}", *question.counter);
  return question.words;
}

encoder::Result<encoder::Encoding> encode(const std::string& target, const Question& question) {
  encoder::EncodeOptions options{.sampling = question.sampling};
  const auto qualifiers = encoder::parse_qualifiers(target, question.filters);
  if (!qualifiers) return qualifiers.error();
  options.qualifiers = *qualifiers;
  for (unsigned counter = 0; question.counter && counter < counters_of(target); ++counter) {
    if (counter != *question.counter) options.unavailable_counters.push_back(counter);
  }
  return encoder::encode(target, question.events, options);
}

/// What the encoder answers; a refusal is an answer, too.
Json answer_to(const std::string& target, const Question& question) {
  Json object{{"target", target},
              {"event", fmt::format("{}", fmt::join(question.events, ", "))},
              {"sampling", question.sampling}};
  if (const std::string options = options_of(question); !options.empty()) object["options"] = options;
  const auto encoding = encode(target, question);
  if (!encoding) {
    object["refused"] = encoding.error().message;
    return object;
  }
  std::vector<std::string> counters;
  for (const encoder::EncodedEvent& event : encoding->events) counters.push_back(event.counter);
  object["counter"] = fmt::format("{}", fmt::join(counters, ", "));
  object["registers"] = Json::object();
  for (const encoder::RegisterValue& reg : encoding->registers)
    object["registers"][reg.name] = hex(reg.value, reg.width);
  return object;
}

std::string key_of(const Json& answer) {
  const std::string options = answer.value("options", "");
  return fmt::format("{} {}{}{}", answer.at("target").get<std::string>(), answer.at("event").get<std::string>(),
                     options.empty() ? "" : fmt::format(" ({})", options),
                     answer.at("sampling").get<bool>() ? " (sampling)" : "");
}

std::map<std::string, Json> read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(fmt::format("cannot read {}", file.string()));
  std::map<std::string, Json> answers;
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      Json answer = Json::parse(line);
      const std::string key = key_of(answer);
      const Json registers = answer.value("registers", Json::object());
      for (const auto& [name, value] : registers.items()) {
        std::stoull(value.get<std::string>(), nullptr, 16);
      }
      answers[key] = std::move(answer);
    } catch (const std::exception&) {
      throw UsageError(
          fmt::format("{}:{}: not a line that pmusim encode --all --snapshot writes", file.string(), number));
    }
  }
  if (answers.empty()) throw UsageError(fmt::format("{}: an empty snapshot; write one with --snapshot", file.string()));
  return answers;
}

/// Differences of one register in the words of its fields.
void print_fields(const std::string& key, const std::string& target, const std::string& reg, std::uint64_t before,
                  std::uint64_t now) {
  const auto old_fields = encoder::decode(target, reg, before), new_fields = encoder::decode(target, reg, now);
  if (!old_fields || !new_fields || old_fields->fields.size() != new_fields->fields.size()) {
    std::cout << fmt::format("{}: {} is {}, was {}\n", key, reg, hex(now, 0), hex(before, 0));
    return;
  }
  for (std::size_t i = 0; i < old_fields->fields.size(); ++i) {
    const encoder::DecodedField &was = old_fields->fields[i], &is = new_fields->fields[i];
    if (was.value == is.value) continue;
    std::cout << fmt::format("{}: {} {} ({}) is {:#x}, {}; was {:#x}, {}\n", key, reg, is.name, is.bits, is.value,
                             is.meaning, was.value, was.meaning);
  }
}

/// True if they are the same.
bool same(const std::string& key, const Json& before, const Json& now) {
  if (before == now) return true;
  for (const char* const what : {"refused", "counter"}) {
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
      print_fields(key, target, name, std::stoull(was, nullptr, 16), std::stoull(is, nullptr, 16));
    }
  }
  for (const auto& [name, value] : old_registers.items()) {
    if (!new_registers.contains(name)) {
      std::cout << fmt::format("{}: {} is not written, was {}\n", key, name, value.get<std::string>());
    }
  }
  return false;
}

}  // namespace

void write_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file) {
  trace::OutputFile out(file);
  for (const std::string& target : targets) {
    for (const Question& question : questions_of(target)) out.write(answer_to(target, question).dump() + '\n');
  }
  out.close();
}

bool compare_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file) {
  std::map<std::string, Json> before = read(file);
  std::size_t compared = 0, different = 0;
  for (const std::string& target : targets) {
    for (const Question& question : questions_of(target)) {
      const Json now = answer_to(target, question);
      const std::string key = key_of(now);
      const auto found = before.find(key);
      ++compared;
      if (found == before.end()) {
        std::cout << fmt::format("{}: new\n", key);
        ++different;
        continue;
      }
      if (!same(key, found->second, now)) ++different;
      before.erase(found);
    }
  }
  // What was asked of targets that are not compared now says nothing.
  std::erase_if(before, [&](const auto& entry) {
    return std::find(targets.begin(), targets.end(), entry.second.at("target").template get<std::string>()) ==
           targets.end();
  });
  for (const auto& [key, answer] : before) std::cout << fmt::format("{}: gone\n", key);
  different += before.size();
  std::cout << fmt::format("{} encodings, {} different\n", grouped(compared), grouped(different));
  return different == 0;
}

}  // namespace pmusim::testbench
