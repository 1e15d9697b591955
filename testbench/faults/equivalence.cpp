#include "testbench/faults/equivalence.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "models/targets.h"

namespace pmusim::testbench::faults {
namespace {

pmu::Monitor& monitor_of(const std::string& target) {
  static std::map<std::string, std::unique_ptr<pmu::Monitor>> known;
  auto& monitor = known[target];
  if (monitor == nullptr) {
    const models::Target& model = *models::find_target(target);
    monitor = model.make_monitor(model.parameters());
  }
  return *monitor;
}

}  // namespace

Programmed::Programmed(const Registers& reset, const Registers& written) : names_(&reset) {
  values_.reserve(reset.size());
  for (const encoder::RegisterValue& reg : reset) values_.push_back(reg.value);
  for (const encoder::RegisterValue& reg : written) {
    if (const std::ptrdiff_t at = find(reg.name); at >= 0) values_[static_cast<std::size_t>(at)] = reg.value;
  }
}

std::ptrdiff_t Programmed::find(std::string_view name) const {
  const auto found = std::find_if(names_->begin(), names_->end(), [&](const auto& reg) { return reg.name == name; });
  return found == names_->end() ? -1 : found - names_->begin();
}

bool Programmed::has(std::string_view name) const { return find(name) >= 0; }

std::uint64_t& Programmed::at(std::string_view name) {
  const std::ptrdiff_t at = find(name);
  if (at < 0) throw std::out_of_range("no register " + std::string(name));
  return values_[static_cast<std::size_t>(at)];
}

std::span<const Rule> rules_of(std::string_view target) {
  const EquivalenceFacts* const facts = find_equivalence_facts(target);
  return facts == nullptr ? std::span<const Rule>() : facts->rules;
}

std::uint64_t reserved_bits(std::string_view target, std::string_view reg) {
  const EquivalenceFacts* const facts = find_equivalence_facts(target);
  return facts == nullptr ? 0 : facts->reserved(reg);
}

Registers reset_of(pmu::Monitor& monitor, const Registers& answer) {
  Registers reset = answer;
  for (encoder::RegisterValue& reg : reset) {
    const auto info = pmu::find_register(monitor, reg.name);
    reg.value = info ? monitor.read(info->id, {}).value : call_not_made;
  }
  return reset;
}

Equivalents::Equivalents(std::string_view target, const Registers& reset, const Registers& original)
    : rules_(rules_of(target)), reset_(&reset) {
  Programmed registers(reset, original);
  for (const Rule& rule : rules_) {
    rule.normalise(registers);
    stages_.push_back(registers);
  }
}

const Rule* Equivalents::rule_for(const Registers& mutant) const {
  Programmed registers(*reset_, mutant);
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    rules_[i].normalise(registers);
    if (registers == stages_[i]) return &rules_[i];
  }
  return nullptr;
}

std::string same_by_rule(const std::string& target, const Answer& right, const Answer& changed) {
  const auto encoded = [](const Answer& answer) { return answer.status == Answer::Status::encoded; };
  const auto same_register = [](const encoder::RegisterValue& a, const encoder::RegisterValue& b) {
    return a.name == b.name;
  };
  if (!encoded(right) || !encoded(changed) || right.counters != changed.counters || right.presets != changed.presets ||
      !std::equal(right.registers.begin(), right.registers.end(), changed.registers.begin(), changed.registers.end(),
                  same_register))
    return {};
  const Registers reset = reset_of(monitor_of(target), right.registers);
  const Rule* const rule = Equivalents(target, reset, right.registers).rule_for(changed.registers);
  return rule == nullptr ? std::string() : std::string(rule->name);
}

const std::map<std::uint32_t, Selected>& selected_events(const std::string& target) {
  static std::map<std::string, std::map<std::uint32_t, Selected>> known;
  const auto [place, is_new] = known.try_emplace(target);
  if (!is_new) return place->second;
  const auto events = encoder::events(target);
  if (!events) throw std::invalid_argument(events.error().message);
  for (const encoder::EventInfo& event : *events) {
    Selected& selected = place->second[event.code];
    selected.facts = &event_facts(target, event.name);
    selected.has_masks = selected.has_masks || !event.unit_masks.empty();
    std::uint32_t silent = 0;
    for (const encoder::UnitMaskInfo& mask : event.unit_masks) {
      selected.masks |= mask.code;
      if (event_facts(target, event.name + ':' + mask.name).occurs.never()) silent |= mask.code;
    }
    selected.masks &= ~silent;
  }
  return place->second;
}

}  // namespace pmusim::testbench::faults

#define FACTS faults::EquivalenceFacts
#define MEMBER equivalence
#define FINDER faults::find_equivalence_facts
#include "testbench/targets/find_facts.inc"
