#include "testbench/sweep/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

using nlohmann::json;

/// An answer with more values than this for all registers of a target is refused.
constexpr std::size_t writes_of_each = 8;

/// The plan has Montecito's line states as flags; the protocol has them as unit masks.
bool is_line_state(const std::string& attribute) {
  return attribute == "M" || attribute == "E" || attribute == "S" || attribute == "I";
}

/// Text of a foreign program is shown on terminals and in reports.
[[noreturn]] void fail(const std::string& what) { throw ProtocolError(printable(what)); }

std::uint64_t number_of(const std::string& text, const std::string& name, std::uint64_t id) {
  const auto value = text.starts_with("0x") ? whole_number(std::string_view(text).substr(2), 16) : std::nullopt;
  if (!value) fail(fmt::format("answer {}: value '{}' of {} is not 0x and hexadecimal digits", id, text, name));
  return *value;
}

constexpr std::array<std::pair<std::string_view, bool Policy::*>, 5> policies{{
    {"both_levels", &Policy::both_levels},
    {"interrupts", &Policy::interrupts},
    {"stops", &Policy::stops},
    {"no_filters", &Policy::no_filters},
    {"unmarked_only", &Policy::unmarked_only},
}};

using Registers = std::vector<encoder::RegisterValue>;

/// The registers that a target has.
const Registers& registers_of(const std::string& target) {
  thread_local std::map<std::string, Registers> known;
  const auto [place, is_new] = known.try_emplace(target);
  if (is_new) place->second = *encoder::registers(target);
  return place->second;
}

/// Finds a register by its manual name.
encoder::RegisterValue register_of(const json& object, const Registers& registers, const std::string& target,
                                   std::uint64_t id) {
  const auto& name = object.at("name").get_ref<const std::string&>();
  const auto& text = object.at("value").get_ref<const std::string&>();
  const std::uint64_t value = number_of(text, name, id);
  const auto known = std::ranges::find_if(registers, [&](const auto& reg) { return reg.name == name; });
  if (known == registers.end()) fail(fmt::format("answer {}: target {} has no register '{}'", id, target, name));
  if (known->width < 64 && value >> known->width != 0)
    fail(fmt::format("answer {}: value '{}' of {} is wider than its {} bits", id, text, name, known->width));
  encoder::RegisterValue given = *known;
  given.value = value;
  return given;
}

/// The policy of an answer. A key that is not known is refused: it would change what is judged.
Policy policy_of(const json& object, std::uint64_t id) {
  Policy policy;
  for (const auto& [key, value] : object.get_ref<const json::object_t&>()) {
    if (key == "period") {
      policy.period = value.get_ref<const json::number_unsigned_t&>();
      if (*policy.period == 0) fail(fmt::format("answer {}: a period is at least 1", id));
      continue;
    }
    const bool on = value.get_ref<const json::boolean_t&>();
    const auto flag =
        std::ranges::find_if(policies, [key = std::string_view(key)](const auto& p) { return p.first == key; });
    if (flag == policies.end())
      fail(
          fmt::format("answer {}: no policy '{}'; legal: both_levels, interrupts, stops, no_filters, unmarked_only, "
                      "period",
                      id, key));
    policy.*flag->second = on;
  }
  return policy;
}

/// Types are checked strictly: json's own conversions would take 1.5 or true for 1, and objects for arrays.
Answer answer_of(const json& object, std::uint64_t id, const std::string& target, std::size_t events) {
  if (object.at("id").get_ref<const json::number_unsigned_t&>() != id)
    fail(fmt::format("answer {} where {} was due", object.at("id").dump(), id));
  Answer answer;
  if (object.contains("error")) {
    if (object.contains("registers"))
      fail(fmt::format("answer {} has registers and an error; expected one of them", id));
    const std::string kind = object.at("error").get<std::string>();
    if (kind != "unsupported" && kind != "invalid")
      fail(fmt::format("error '{}' in answer {}; legal: unsupported, invalid", kind, id));
    answer.status = kind == "unsupported" ? Answer::Status::unsupported : Answer::Status::invalid;
    answer.message = printable(object.value("message", kind));
    return answer;
  }
  const Registers& known = registers_of(target);
  const std::size_t most = writes_of_each * known.size();
  const auto& registers = object.at("registers").get_ref<const json::array_t&>();
  if (registers.size() > most) fail(fmt::format("answer {} has {} registers; at most {}", id, registers.size(), most));
  for (const json& reg : registers) {
    answer.registers.push_back(register_of(reg, known, target, id));
    if (!reg.contains("dont_care")) continue;
    const std::string& name = answer.registers.back().name;
    answer.dont_care[name] = number_of(reg.at("dont_care").get<std::string>(), name, id);
  }
  answer.counters = object.at("counters").get<std::vector<std::string>>();
  if (object.contains("presets")) {
    for (const json& preset : object.at("presets").get_ref<const json::array_t&>())
      answer.presets.push_back(number_of(preset.get<std::string>(), "a preset", id));
    if (answer.presets.size() != events)
      fail(fmt::format("answer {} has {} presets for {} events", id, answer.presets.size(), events));
  }
  if (object.contains("reads")) {
    answer.reads = object.at("reads").get<std::vector<std::string>>();
    if (answer.reads.size() != events)
      fail(fmt::format("answer {} reads {} counters for {} events", id, answer.reads.size(), events));
  }
  if (object.contains("policy")) answer.policy = policy_of(object.at("policy"), id);
  if (answer.counters.size() != events)
    fail(fmt::format("answer {} names {} counters for {} events", id, answer.counters.size(), events));
  return answer;
}

}  // namespace

json request_of(std::uint64_t id, const std::string& target, const Group& group) {
  json events = json::array();
  for (const Check& check : group.checks) {
    json& event = events.emplace_back(json::object());
    event["name"] = check.request.event;
    json &masks = event["umasks"] = check.request.umasks, &attributes = event["attrs"] = json::object();
    for (const auto& [name, value] : check.attributes) {
      if (is_line_state(name)) {
        masks.push_back(name);
      } else {
        attributes[name] = value;
      }
    }
    if (!check.raw.empty()) event["raw"] = check.raw;
  }
  json qualifiers = json::object();
  if (!group.unavailable_counters.empty()) qualifiers["unavailable_counters"] = group.unavailable_counters;
  for (const auto& [name, list] : filter_lists) {
    if (!(group.filters.*list).empty()) qualifiers[name] = group.filters.*list;
  }
  if (group.filters.no_fine) qualifiers["no_fine"] = true;
  if (group.filters.inverse) qualifiers["inverse"] = true;
  json request{{"v", 1}, {"id", id}, {"target", target}, {"sampling", group.samples()}};
  request["events"] = std::move(events);
  request["qualifiers"] = std::move(qualifiers);
  if (group.period != 0) request["period"] = group.period;
  return request;
}

Answer parse_answer(const std::string& line, std::uint64_t id, const std::string& target, std::size_t events) {
  try {
    return answer_of(json::parse(line), id, target, events);
  } catch (const json::exception&) {
    fail(fmt::format(R"(answer to request {} is malformed: "{}"; expected {{"id":{},"registers":[{{"name":"...",)"
                     R"("value":"0x..."}}],"counters":["..."]}} or {{"id":{},"error":"unsupported|invalid"}})",
                     id, line.substr(0, 200), id, id));
  }
}

}  // namespace pmusim::testbench
