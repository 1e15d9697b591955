#include "testbench/judge/encoder/answers.h"

#include <algorithm>
#include <utility>

namespace pmusim::testbench {

std::vector<Answer> Answers::of(const std::string& target, const std::vector<const Group*>& groups) {
  std::vector<Answer*> places;
  std::vector<const Group*> unknown;
  std::vector<Answer*> asked;
  for (const Group* const group : groups) {
    std::string key = target + ' ' + group->question();
    const auto settled = settled_.find(key);
    if (settled != settled_.end() && settled->second.status != Answer::Status::missing) {
      places.push_back(&settled->second);
      continue;
    }
    const auto [found, is_new] = known_.try_emplace(std::move(key));
    Answer& place = found->second;
    places.push_back(&place);
    if (!is_new && place.status != Answer::Status::missing) continue;
    place.status = Answer::Status::encoded;  // requested in this call
    unknown.push_back(group);
    asked.push_back(&place);
  }
  if (progress_ != nullptr) progress_->expect(unknown.size());
  std::vector<Answer> answered = candidate_.encode_all(target, unknown, [&] {
    if (progress_ != nullptr) progress_->advance(target);
  });
  for (std::size_t i = 0; i < asked.size(); ++i) *asked[i] = std::move(answered.at(i));
  std::vector<Answer> answers;
  std::size_t next = 0;  // index among those requested
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool was_asked = next < unknown.size() && unknown[next] == groups[i];
    next += was_asked;
    if (!was_asked && places[i]->status == Answer::Status::missing) *places[i] = candidate_.encode(target, *groups[i]);
    answers.push_back(*places[i]);
  }
  return answers;
}

bool any_missing(const std::vector<Answer>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const Answer& answer) { return answer.status == Answer::Status::missing; });
}

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

bool shows_counter(const pmu::Monitor& fresh, std::string_view reg, std::string_view counter) {
  if (reg == counter) return true;
  const auto shown = pmu::find_register(fresh, reg), written = pmu::find_register(fresh, counter);
  if (!shown || !written) return false;
  const auto monitor = fresh.clone();
  const auto shows = [&](std::uint64_t value) {
    (void)monitor->write(written->id, value, {});
    return monitor->read(shown->id, {}).value == value;
  };
  return shows(0x15) && shows(0x2a);
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
