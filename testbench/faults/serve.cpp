#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/encoder_trials.h"

namespace pmusim::testbench::faults {
namespace {

using nlohmann::json;

struct Refusal {
  std::string kind, message;
};
[[noreturn]] void refuse(std::string kind, std::string message) { throw Refusal{std::move(kind), std::move(message)}; }

void read_qualifiers(const json& qualifiers, Group& group) {
  for (const auto& [name, value] : qualifiers.items()) {
    const auto known =
        std::find_if(filter_lists.begin(), filter_lists.end(),
                     [&, key = std::string_view(name)](const FilterList& list) { return list.name == key; });
    if (known != filter_lists.end()) {
      group.filters.*known->texts = value.get<std::vector<std::string>>();
    } else if (name == "unavailable_counters") {
      group.unavailable_counters = value.get<std::vector<unsigned>>();
    } else if (name == "no_fine") {
      group.filters.no_fine = value.get<bool>();
    } else if (name == "inverse") {
      group.filters.inverse = value.get<bool>();
    } else {
      refuse("unsupported", fmt::format("no qualifier {}", name));
    }
  }
}

Group group_of(const json& request) {
  Group group;
  for (const json& event : request.at("events")) {
    Check& check = group.checks.emplace_back();
    check.request.event = event.at("name").get<std::string>();
    check.request.umasks = event.at("umasks").get<std::vector<std::string>>();
    for (const auto& [name, value] : event.at("attrs").items())
      check.attributes.emplace_back(name, value.get<std::uint32_t>());
    check.raw = event.value("raw", "");
  }
  read_qualifiers(request.at("qualifiers"), group);
  group.sampling = request.at("sampling").get<bool>();
  group.period = request.value("period", std::uint64_t{0});
  return group;
}

/// True if the encoder does not know a name, as opposed to an illegal request.
bool is_unknown(encoder::ErrorCode code) {
  using enum encoder::ErrorCode;
  return code == unknown_target || code == unknown_event || code == unknown_unit_mask || code == unknown_attribute;
}

/// Returns the registers, or an answer that the request is illegal.
Answer encode(const std::string& target, const Group& group) {
  const auto question = question_of(target, group);
  if (!question && is_unknown(question.error().code)) refuse("unsupported", question.error().message);
  if (!question) return answer_of(question.error());
  const auto encoding = encoder::encode(target, question->events, question->options);
  if (!encoding && is_unknown(encoding.error().code)) refuse("unsupported", encoding.error().message);
  return answer_of(encoding, target, group.period);
}

json to_json(const Answer& answer) {
  json object{{"counters", answer.counters}};
  json& registers = object["registers"] = json::array();
  for (const encoder::RegisterValue& reg : answer.registers) {
    json& entry = registers.emplace_back(json::object());
    entry["name"] = reg.name;
    entry["value"] = fmt::format("{:#x}", reg.value);
  }
  for (const std::uint64_t preset : answer.presets) object["presets"].push_back(fmt::format("{:#x}", preset));
  return object;
}

}  // namespace

json Server::answer(const std::string& line) {
  json id;
  try {
    const json request = json::parse(line);
    id = request.at("id");
    if (request.at("v") != 1) refuse("unsupported", "the protocol has version 1");
    const std::string target = request.at("target").get<std::string>();
    Group group = group_of(request);
    if (fault_ != nullptr && fault_->ask) fault_->ask(target, group);
    Answer answer = encode(target, group);
    if (answer.status == Answer::Status::invalid && fault_ != nullptr && fault_->instead_of_refusal)
      answer = fault_->instead_of_refusal(target, group);
    if (answer.status == Answer::Status::invalid) refuse("invalid", answer.message);
    const Answer right = answer;
    if (fault_ != nullptr && fault_->spoil) fault_->spoil({target, group, before_}, answer);
    before_ = right;
    json object = to_json(answer);
    object["id"] = id;
    return object;
  } catch (const Refusal& refusal) {
    return {{"id", id}, {"error", refusal.kind}, {"message", refusal.message}};
  } catch (const json::exception& error) {
    return {{"id", id}, {"error", "invalid"}, {"message", error.what()}};
  }
}

void serve(std::istream& in, std::ostream& out, const EncoderFault* fault) {
  Server server(fault);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out << server.answer(line).dump() << std::endl;
  }
}

}  // namespace pmusim::testbench::faults
