#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "testbench/explain/raw_counters.h"
#include "testbench/lab/bindings/answers.h"

namespace pmusim::lab {
namespace {

Json to_json(const encoder::EventInfo& event) {
  Json masks = Json::array();
  for (const encoder::UnitMaskInfo& mask : event.unit_masks) {
    masks.push_back(
        {{"name", mask.name}, {"code", mask.code}, {"description", mask.description}, {"default", mask.is_default}});
  }
  Json counters = Json::array();
  for (const auto& [counter, code] : event.counter_codes) counters.push_back({{"counter", counter}, {"code", code}});
  return {{"name", event.name},
          {"code", event.code},
          {"counters", counters},
          {"description", event.description},
          {"source", event.source},
          {"confirmed", event.confirmed},
          {"most", event.max_per_cycle},
          {"same_as", event.same_as},
          {"filters", event.filters},
          {"masks", masks},
          {"attributes", event.attributes}};
}

Json to_json(const encoder::AttributeInfo& attribute) {
  return {{"name", attribute.name},  {"minimum", attribute.minimum},    {"maximum", attribute.maximum},
          {"flag", attribute.flag},  {"wide", attribute.register_wide}, {"meaning", attribute.meaning},
          {"words", attribute.words}};
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The modes that an event counts if it names none: all that it can name, if naming them gives the same registers.
Json unnamed_modes(std::string_view target, const encoder::EventInfo& event) {
  std::string plain = event.name;
  const auto& masks = event.unit_masks;
  if (!masks.empty() && std::none_of(masks.begin(), masks.end(), [](const auto& mask) { return mask.is_default; }))
    plain += ":" + masks.front().name;
  Json modes = Json::array();
  std::string named = plain;
  for (const char* const mode : {"k", "u", "pal"}) {
    if (!has(event.attributes, mode)) continue;
    modes.push_back(mode);
    named += fmt::format(":{}", mode);
  }
  const auto values_of = [&](const std::string& text) {
    std::vector<std::pair<std::string, std::uint64_t>> values;
    if (const auto encoding = encoder::encode(target, std::vector{text}))
      for (const encoder::RegisterValue& reg : encoding->registers) values.emplace_back(reg.name, reg.value);
    return values;
  };
  return values_of(plain) == values_of(named) ? modes : Json::array();
}

template <class List>
Json list_of(const List& list) {
  Json array = Json::array();
  for (const auto& one : list) array.push_back(to_json(one));
  return array;
}

Json register_list(const std::vector<encoder::RegisterValue>& registers) {
  Json array = Json::array();
  for (const encoder::RegisterValue& reg : registers) array.push_back(lab::to_json(reg));
  return array;
}

std::vector<std::string> texts(const Json& qualifiers, const char* key) {
  return qualifiers.value(key, std::vector<std::string>{});
}

encoder::QualifierTexts qualifier_texts(const Json& request) {
  const Json qualifiers = request.value("qualifiers", Json::object());
  encoder::QualifierTexts all;
  all.irange = texts(qualifiers, "irange");
  all.drange = texts(qualifiers, "drange");
  all.opcode = texts(qualifiers, "opcode");
  all.ear = texts(qualifiers, "ear");
  all.btb = texts(qualifiers, "btb");
  all.etb = texts(qualifiers, "etb");
  all.ipear = texts(qualifiers, "ipear");
  all.fetch = texts(qualifiers, "fetch");
  all.no_fine = qualifiers.value("no_fine", false);
  all.inverse = qualifiers.value("inverse", false);
  return all;
}

Json refusal(const encoder::Error& error) { return {{"error", error.message}}; }

}  // namespace

std::vector<encoder::RegisterValue> registers_of(const Json& request) {
  const models::Target& target = target_of(request);
  const auto known = encoder::registers(target.name);
  std::vector<encoder::RegisterValue> registers;
  for (const Json& reg : request.at("registers")) {
    encoder::RegisterValue value;
    value.name = reg.at("name");
    const auto found = std::find_if(known->begin(), known->end(),
                                    [&](const encoder::RegisterValue& one) { return one.name == value.name; });
    if (found != known->end()) value = *found;
    value.value = number(reg.at("value"));
    registers.push_back(value);
  }
  return registers;
}

Json list_targets() {
  Json targets = Json::array();
  for (const encoder::TargetInfo& info : encoder::targets()) {
    const models::Target* const target = models::find_target(info.name);
    if (target == nullptr) continue;
    targets.push_back({{"name", info.name},
                       {"description", target->description},
                       {"counters", info.counters},
                       {"counter_width", info.counter_width},
                       {"threads", target->threads()}});
  }
  return targets;
}

Json describe(const Json& request) {
  const models::Target& target = target_of(request);
  const auto monitor = target.make_monitor(target.parameters());
  Json model = Json::array();
  for (const pmu::RegisterInfo& info : monitor->registers()) {
    constexpr const char* kinds[] = {"control", "counter", "status", "data"};
    model.push_back({{"name", info.name},
                     {"width", info.width},
                     {"kind", kinds[static_cast<unsigned>(info.kind)]},
                     {"writable", info.writable}});
  }
  Json events = Json::array();
  for (const encoder::EventInfo& event : *encoder::events(target.name)) {
    events.push_back(to_json(event));
    events.back()["modes"] = unnamed_modes(target.name, event);
  }
  return {{"events", events},
          {"attributes", list_of(*encoder::attributes(target.name))},
          {"registers", register_list(*encoder::registers(target.name))},
          {"model", model}};
}

Json encode(const Json& request) {
  const models::Target& target = target_of(request);
  const auto events = request.at("events").get<std::vector<std::string>>();
  encoder::EncodeOptions options;
  options.sampling = request.value("sampling", false);
  const encoder::QualifierTexts texts = qualifier_texts(request);
  if (!texts.empty()) {
    auto qualifiers = encoder::parse_qualifiers(target.name, texts);
    if (!qualifiers) return refusal(qualifiers.error());
    options.qualifiers = *std::move(qualifiers);
  }
  const auto encoding = encoder::encode(target.name, events, options);
  if (!encoding) return refusal(encoding.error());
  Json placed = Json::array();
  for (const encoder::EncodedEvent& event : encoding->events)
    placed.push_back({{"canonical", event.canonical}, {"counter", event.counter}, {"index", event.counter_index}});
  Json covered = Json::array();
  for (const auto* ranges : {&encoding->code, &encoding->data})
    for (const encoder::CoveredRange& range : *ranges)
      covered.push_back({{"start", hex(range.start)}, {"end", hex(range.end)}});
  return {{"events", placed},
          {"registers", register_list(encoding->registers)},
          {"off", register_list(encoding->off)},
          {"images", register_list(encoding->images)},
          {"warnings", encoding->warnings},
          {"covered", covered}};
}

Json decode(const Json& request) {
  const models::Target& target = target_of(request);
  const std::vector<encoder::RegisterValue> registers = registers_of(request);
  const auto monitor = target.make_monitor(target.parameters());
  Json decoded = Json::array();
  for (const encoder::RegisterValue& reg : registers) {
    const auto words = encoder::decode(target.name, reg.name, reg.value);
    Json fields = Json::array();
    if (words) {
      for (const encoder::DecodedField& field : words->fields)
        fields.push_back(
            {{"name", field.name}, {"bits", field.bits}, {"value", hex(field.value)}, {"meaning", field.meaning}});
    }
    Json one = lab::to_json(words ? words->reg : reg);
    one["fields"] = fields;
    // A register that only the model has (LVTPC, PMV) is shown as a number.
    if (!words && !pmu::find_register(*monitor, reg.name)) one["error"] = words.error().message;
    decoded.push_back(one);
  }
  Json answer{{"registers", decoded}, {"selections", Json::array()}};
  const auto selections = testbench::raw_selections(target.name, registers);
  if (!selections) {
    answer["error"] = selections.error().message;
    return answer;
  }
  for (const encoder::Selection& selection : *selections) {
    answer["selections"].push_back({{"counter", selection.counter},
                                    {"index", selection.counter_index},
                                    {"canonical", selection.canonical},
                                    {"known", selection.known},
                                    {"notes", selection.notes}});
  }
  return answer;
}

}  // namespace pmusim::lab
