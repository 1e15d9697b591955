#include "testbench/judge/question/event_facts.h"

#include <fmt/format.h>

#include <stdexcept>

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {

std::vector<unsigned> CounterSet::numbers() const {
  std::vector<unsigned> all;
  for (unsigned number = 0; bits_ >> number != 0; ++number) {
    if ((bits_ >> number & 1) != 0) all.push_back(number);
  }
  return all;
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
  const EventFacts* const found = find_event_facts(judging_facts(target).events, row);
  if (found != nullptr) return *found;
  throw std::invalid_argument(
      fmt::format("testbench/targets, events of {}: no row for {}; expected a row for each event", target, row));
}

std::vector<std::string_view> events_from_instructions(std::string_view target) {
  std::vector<std::string_view> names;
  for (const std::span<const EventFacts>& part : judging_facts(target).events) {
    for (const EventFacts& facts : part) {
      if (facts.follows.from_instructions()) names.push_back(facts.name);
    }
  }
  return names;
}

}  // namespace pmusim::testbench
