#include "testbench/judge/question/event_facts.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>

namespace pmusim::testbench {

std::vector<unsigned> CounterSet::numbers(std::size_t count) const {
  std::vector<unsigned> all;
  for (unsigned number = 0; number < count; ++number) {
    if ((bits_ >> number & 1) != 0) all.push_back(number);
  }
  return all;
}

const CountFacts& count_facts(std::string_view target) {
  const CountFacts* const facts = find_count_facts(target);
  if (facts == nullptr) throw std::invalid_argument("no validation plan for target " + std::string(target));
  return *facts;
}

const EventFacts* find_event_facts(const EventTable& table, std::string_view row) {
  const std::string_view event = row.substr(0, row.find(':'));
  const EventFacts *of_event = nullptr, *of_beginning = nullptr;
  for (const std::span<const EventFacts>& part : table) {
    for (const EventFacts& facts : part) {
      if (facts.name == row) return &facts;
      if (facts.name == event) of_event = &facts;
      if (!facts.name.ends_with('*') || !event.starts_with(facts.name.substr(0, facts.name.size() - 1))) continue;
      if (of_beginning == nullptr || facts.name.size() > of_beginning->name.size()) of_beginning = &facts;
    }
  }
  return of_event != nullptr ? of_event : of_beginning;
}

const EventFacts& event_facts(std::string_view target, std::string_view row) {
  static std::map<std::string, std::map<std::string, const EventFacts*, std::less<>>, std::less<>> known;
  const auto of_target = known.try_emplace(std::string(target)).first;
  const auto found = of_target->second.find(row);
  if (found != of_target->second.end()) return *found->second;
  const EventFacts* const facts = find_event_facts(count_facts(target).events, row);
  if (facts == nullptr)
    throw std::invalid_argument(
        fmt::format("testbench/targets, events of {}: no row for {}; expected one for each event", target, row));
  of_target->second.emplace(row, facts);
  return *facts;
}

std::vector<std::string_view> events_from_instructions(std::string_view target) {
  std::vector<std::string_view> names;
  for (const std::span<const EventFacts>& part : count_facts(target).events) {
    for (const EventFacts& facts : part) {
      if (facts.follows.from_instructions()) names.push_back(facts.name);
    }
  }
  return names;
}

}  // namespace pmusim::testbench

#define FACTS CountFacts
#define MEMBER events
#define FINDER find_count_facts
#include "testbench/targets/find_facts.inc"
