#include "testbench/judge/encoder/answers.h"

namespace pmusim::testbench {

std::vector<std::string> write_keeping_counters(Programming& programming, const std::string& reg, std::uint64_t value) {
  std::vector<std::string> written;
  if (!programming.may_write_counters(reg)) {
    programming.write(reg, value);
    return written;
  }
  const auto before = programming.counters();
  programming.write(reg, value);
  const auto after = programming.counters();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (after[i] == before[i]) continue;
    programming.write(before[i].first, before[i].second);
    written.push_back(before[i].first);
  }
  return written;
}

void write_answer(Programming& programming, const Answer& answer) {
  for (const encoder::RegisterValue& reg : answer.registers) {
    (void)write_keeping_counters(programming, reg.name, reg.value);
  }
}

const std::map<std::string, std::uint64_t>& reset_values(const std::string& target) {
  thread_local std::map<std::string, std::map<std::string, std::uint64_t>> known;
  const auto [place, is_new] = known.try_emplace(target);
  if (!is_new) return place->second;
  const models::Target& model = *models::find_target(target);
  const auto monitor = model.make_monitor(model.parameters());
  for (const pmu::RegisterInfo& info : monitor->registers())
    place->second.emplace(info.name, monitor->read(info.id, {}).value);
  return place->second;
}

std::map<std::string, std::uint64_t> written_starts(const models::Target& target, const pmu::Monitor& fresh,
                                                    const Answer& answer) {
  // A counter that is written ends with the same value from two different ones.
  const auto after_a_start_from = [&](std::uint64_t value) {
    Programming programming(target, fresh.clone());
    for (const auto& [name, unused] : programming.counters()) programming.write(name, value);
    for (const encoder::RegisterValue& reg : answer.registers) programming.write(reg.name, reg.value);
    return programming.counters();
  };
  constexpr std::uint64_t one = 0x15, other = 0x2a;
  const auto first = after_a_start_from(one), second = after_a_start_from(other);
  std::map<std::string, std::uint64_t> written;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i]) written.insert(first[i]);
  }
  return written;
}

}  // namespace pmusim::testbench
