#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "testbench/judge/diagnosis/diagnose.h"

namespace pmusim::testbench::diagnose {
namespace {

unsigned counters_of(const std::string& target) {
  for (const encoder::TargetInfo& info : encoder::targets()) {
    if (info.name == target) return info.counters;
  }
  return 0;
}

std::vector<std::string> counters_of(const encoder::Encoding& encoding) {
  std::vector<std::string> names;
  for (const encoder::EncodedEvent& event : encoding.events) names.push_back(event.counter);
  return names;
}

/// One event with counter `number` as the only one available.
encoder::Result<encoder::Encoding> alone(const Request& question, std::size_t event, unsigned number) {
  encoder::EncodeOptions options = question.options;
  options.unavailable_counters.clear();
  for (unsigned other = 0; other < counters_of(question.target); ++other) {
    if (other != number) options.unavailable_counters.push_back(other);
  }
  const std::vector<std::string> events{question.events[event]};
  return encoder::encode(question.target, events, options);
}

/// One event on the counter of that name. If that is impossible, its possible counters are added to `possible`.
std::optional<encoder::Encoding> alone_on(const Request& question, std::size_t event, const std::string& counter,
                                          std::string& possible) {
  for (unsigned number = 0; number < counters_of(question.target); ++number) {
    const auto encoding = alone(question, event, number);
    if (!encoding) continue;
    const std::string& name = encoding->events.front().counter;
    if (name == counter) return *encoding;
    possible += (possible.empty() ? "" : ", ") + name;
  }
  return std::nullopt;
}

void add(Reference& reference, const encoder::Encoding& encoding) {
  for (const encoder::RegisterValue& reg : encoding.registers) {
    put(reference.registers, reg);
    reference.order.push_back(reg.name);
  }
  for (const encoder::RegisterValue& reg : encoding.images) put(reference.registers, reg);
}

/// Each event is encoded alone on its counter; the results are combined.
Reference one_by_one(const Request& question, const std::vector<std::string>& counters, std::size_t event) {
  Reference reference;
  for (std::size_t i = 0; i < question.events.size(); ++i) {
    std::string possible;
    const auto encoding = alone_on(question, i, counters[i], possible);
    if (!encoding) {
      if (i != event) continue;
      reference.problem = fmt::format("{} does not count {}, only {} can", counters[i], question.events[i],
                                      possible.empty() ? "no counter" : possible);
      return reference;
    }
    for (const std::vector<encoder::RegisterValue>* list : {&encoding->registers, &encoding->images}) {
      for (encoder::RegisterValue reg : *list) {
        if (const encoder::RegisterValue* known = find(reference.registers, reg.name)) reg.value |= known->value;
        put(reference.registers, reg);
      }
    }
  }
  return reference;
}

}  // namespace

void put(std::vector<encoder::RegisterValue>& registers, const encoder::RegisterValue& value) {
  for (encoder::RegisterValue& reg : registers) {
    if (reg.name != value.name) continue;
    reg.value = value.value;
    return;
  }
  registers.push_back(value);
}

const encoder::RegisterValue* find(const std::vector<encoder::RegisterValue>& registers, const std::string& name) {
  const auto found =
      std::find_if(registers.begin(), registers.end(), [&](const auto& reg) { return reg.name == name; });
  return found == registers.end() ? nullptr : &*found;
}

Reference reference_for(const Request& question, const std::vector<std::string>& counters, std::size_t event) {
  Reference reference;
  const auto encoding = encoder::encode(question.target, question.events, question.options);
  if (!encoding) {
    reference.problem = "pmusim refuses it, too: " + encoding.error().message;
    return reference;
  }
  const std::vector<std::string> own = counters_of(*encoding);
  if (own != counters) {
    reference = one_by_one(question, counters, event);
    if (event < own.size() && own[event] != counters[event]) reference.elsewhere = own[event];
    return reference;
  }
  add(reference, *encoding);
  return reference;
}

}  // namespace pmusim::testbench::diagnose
