#include "testbench/cli/snapshot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/output_file.h"
#include "testbench/cli/command.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/question.h"
#include "testbench/support/output.h"
#include "testbench/support/text_lines.h"

namespace pmusim::testbench {
namespace {

/// All options of a question in words; empty if there are none.
std::string options_of(const std::string& target, const Group& group) {
  std::vector<std::string> words;
  const std::size_t counters = questions::family_of(target)->counters.size();
  std::vector<unsigned> left;
  for (unsigned counter = 0; counter < counters; ++counter) {
    const auto& reserved = group.unavailable_counters;
    if (std::find(reserved.begin(), reserved.end(), counter) == reserved.end()) left.push_back(counter);
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
      throw UsageError(
          fmt::format("{}:{}: not a line that pmusim encode --all --snapshot writes", file.string(), number));
    }
  }
  if (answers.empty()) throw UsageError(fmt::format("{}: an empty snapshot; write one with --snapshot", file.string()));
  return answers;
}

/// The differences of one register, in terms of its fields.
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
    each_answer(target, [&](const Json& answer) { out.write(answer.dump() + '\n'); });
  }
  out.close();
}

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
    return std::find(targets.begin(), targets.end(), entry.second.at("target").template get<std::string>()) ==
           targets.end();
  });
  for (const auto& [key, answer] : before) std::cout << fmt::format("{}: gone\n", key);
  different += before.size();
  std::cout << fmt::format("{} encodings, {} different\n", grouped(compared), grouped(different));
  return different == 0;
}

}  // namespace pmusim::testbench
