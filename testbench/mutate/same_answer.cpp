#include "testbench/mutate/same_answer.h"

#include <algorithm>
#include <map>
#include <memory>

#include "models/targets.h"
#include "testbench/mutate/equivalence.h"
#include "testbench/mutate/requests.h"

namespace pmusim::testbench::mutate {
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

}  // namespace pmusim::testbench::mutate
