#include "testbench/cli/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/cli/command.h"
#include "testbench/cli/output.h"

namespace pmusim::testbench {
namespace {

/// What is asked: an event string, with or without overflow interrupts.
using Question = std::pair<std::string, bool>;

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

std::vector<Question> questions_of(const std::string& target) {
  const auto events = encoder::events(target);
  if (!events) throw UsageError(events.error().message);
  std::vector<Question> questions;
  for (const encoder::EventInfo& event : *events) {
    const std::vector<std::string> attributes = attributes_of(target, event);
    for (const std::string& row : rows_of(event)) {
      questions.emplace_back(row, false);
      questions.emplace_back(row, true);
      for (const std::string& attribute : attributes) questions.emplace_back(row + attribute, false);
    }
  }
  return questions;
}

/// What the encoder answers; a refusal is an answer, too.
Json answer_to(const std::string& target, const Question& question) {
  Json object{{"target", target}, {"event", question.first}, {"sampling", question.second}};
  const std::vector<std::string> events{question.first};
  const auto encoding = encoder::encode(target, events, {.sampling = question.second});
  if (!encoding) {
    object["refused"] = encoding.error().message;
    return object;
  }
  object["counter"] = encoding->events.at(0).counter;
  object["registers"] = Json::object();
  for (const encoder::RegisterValue& reg : encoding->registers)
    object["registers"][reg.name] = hex(reg.value, reg.width);
  return object;
}

std::string key_of(const Json& answer) {
  return fmt::format("{} {}{}", answer.at("target").get<std::string>(), answer.at("event").get<std::string>(),
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
  const std::filesystem::path partial = file.string() + ".partial";
  std::ofstream out(partial);
  for (const std::string& target : targets) {
    for (const Question& question : questions_of(target)) out << answer_to(target, question).dump() << '\n';
  }
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(partial, file, error);
  if (out && !error) return;
  std::filesystem::remove(partial, error);
  throw UsageError(fmt::format("cannot write {}", file.string()));
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
