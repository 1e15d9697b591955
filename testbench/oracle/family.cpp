#include "testbench/oracle/family.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/oracle/choices.h"

namespace pmusim::oracle {

Choices read_choices(std::initializer_list<std::span<const ChoiceRow>> tables, const ParameterLookup& parameters) {
  Choices choices;
  if (!parameters) return choices;
  for (const auto rows : tables) {
    for (const ChoiceRow& row : rows) {
      if (row.choice != nullptr) choices.*row.choice = parameters(row.parameter) != 0;
      if (row.number != nullptr) choices.*row.number = static_cast<std::uint32_t>(parameters(row.parameter));
    }
  }
  return choices;
}

namespace {

struct Row {
  std::string_view target;
  const Family& (*family)();
};
std::vector<Row>& rows() {
#define TARGET(NAME, FAMILY) {NAME, FAMILY::family},
  static std::vector<Row> all = {
#include "testbench/oracle/families.def"
  };
  return all;
}

/// Events by their names, and by the names of their rows.
using Index = std::map<std::string, const Event*, std::less<>>;

Index index_of(const Family& family) {
  Index index;
  for (const Event& event : family.events()) {
    index.try_emplace(std::string(event.name), &event);
    if (!family.flat_names) continue;
    for (const std::string_view umask : event.umasks) {
      if (!umask.empty()) index.try_emplace(std::string(event.name) + '_' + std::string(umask), &event);
    }
  }
  return index;
}

std::vector<EventName> names_of(const Family& family) {
  static std::deque<std::string> rows;  // keeps the texts that the names point to
  std::vector<EventName> names;
  for (const Event& event : family.events()) {
    if (family.flat_names) {
      if (event.umasks.empty()) names.push_back({event.name, {}});
      for (const auto umask : event.umasks) {
        if (umask.empty()) continue;  // a position that only another processor has
        const std::string& row = rows.emplace_back(std::string(event.name) + "_" + std::string(umask));
        names.push_back({row, {}});
      }
      continue;
    }
    names.push_back({event.name, event.umasks});
    if (!event.umasks.empty()) names.back().umasks.insert(names.back().umasks.begin(), "ALL");
  }
  return names;
}

/// Largest number of occurrences of an event in a cycle; 0: its definition has no maximum.
std::uint32_t most_in_cycle(const Event& event, const Choices& choices) {
  if (event.most != 0) return event.most;
  const bool any_number = !event.rules.empty() || (event.increment != nullptr && event.step == 0) ||
                          event.unit == CaptureUnit::branch_buffer;
  if (any_number) return 0;
  // A level, a transition and an edge of a clock are one each; an EAR keeps one capture at a time.
  std::uint32_t most = event.step;
  if (event.degree != nullptr) {
    StateValues all;  // each cause that a degree counts is a bit
    all.fill(~std::uint64_t{0});
    most += event.degree(all, choices);
  }
  for (const bool one : {event.level != nullptr && event.degree == nullptr, event.transition.has_value(),
                         event.time_base, event.bus_clock, event.unit != CaptureUnit::none})
    most += one ? 1 : 0;
  return most;
}

}  // namespace

void add_family(std::string_view target, const Family& (*family)()) { rows().push_back({target, family}); }

const Family& family_of(std::string_view target) {
  std::string names;
  for (const Row& row : rows()) {
    if (row.target == target) return row.family();
    names += (names.empty() ? "" : ", ") + std::string(row.target);
  }
  throw std::invalid_argument("no target " + std::string(target) + "; there are " + names);
}

const Event& event_of(const Family& family, std::string_view name) {
  static std::map<std::string_view, Index> all;
  static std::mutex making;
  const std::lock_guard lock(making);
  const auto [index, added] = all.try_emplace(family.name);
  if (added) index->second = index_of(family);
  const auto found = index->second.find(name);
  if (found != index->second.end()) return *found->second;
  if (std::find(family.undefined.begin(), family.undefined.end(), name) != family.undefined.end())
    throw std::invalid_argument("not modelled: no document says what " + std::string(name) + " counts");
  throw std::invalid_argument("no event " + std::string(name));
}

const std::vector<EventName>& events(std::string_view target) {
  static std::map<std::string_view, std::vector<EventName>> all;
  static std::mutex making;
  const Family& family = family_of(target);
  const std::lock_guard lock(making);
  const auto [entry, added] = all.try_emplace(family.name);
  if (added) entry->second = names_of(family);
  return entry->second;
}

std::string_view pass_of(std::string_view target, std::string_view event) {
  return event_of(family_of(target), event).name;
}

bool out_of_reach(std::string_view target, const Request& request, const ParameterLookup& parameters) {
  const Family& family = family_of(target);
  const std::uint32_t least = family.bound(request);
  if (least == 0) return false;  // a statistic of profiled instructions is no event of the table
  const std::uint32_t most = most_in_cycle(event_of(family, request.event), family.choices(parameters));
  return most != 0 && least > most;
}

}  // namespace pmusim::oracle
