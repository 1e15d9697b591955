#include "testbench/cli/generic_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "testbench/cli/command_facts.h"
#include "testbench/cli/perf_names.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {
namespace {

/// Other spellings, with the name in the targets' tables.
constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"cpu-cycles", "cycles"},          {"branch-instructions", "branches"},
    {"branch-loads", "branches"},      {"branch-load-misses", "branch-misses"},
    {"LLC-loads", "cache-references"}, {"LLC-load-misses", "cache-misses"},
};

std::string_view in_tables(std::string_view name) {
  for (const auto& [other, usual] : spellings) {
    if (other == name) return usual;
  }
  return name;
}

/// Null for a name that is not generic.
const GenericEvent* find_generic(std::string_view target, std::string_view name) {
  const std::span<const GenericEvent> all = generic_events_of(target);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const GenericEvent& one) { return one.name == in_tables(name); });
  return found == all.end() ? nullptr : &*found;
}

/// perf's modifiers, which it takes in one group: `:uk` is `:u:k`. Throws UsageError for those that a trace cannot
/// have.
std::string levels_of(const std::string& given, const std::string& modifiers) {
  constexpr std::string_view of_perf = "ukhHGpPSDIeW", levels = "uk";
  if (modifiers.size() < 2 || modifiers.find_first_not_of(of_perf, 1) != modifiers.npos) return modifiers;
  if (modifiers.find('p') != modifiers.npos)
    throw UsageError(given + ": the nearest is pmusim report: its column `exact` has no skid");
  std::string apart;
  for (const char one : modifiers.substr(1)) {
    if (levels.find(one) == levels.npos) return modifiers;
    apart += {':', one};
  }
  return apart;
}

}  // namespace

std::vector<std::string_view> generic_names() {
  std::vector<std::string_view> names;
  for (const GenericEvent& one : generic_events_of("athlon")) names.push_back(one.name);
  for (const auto& [other, usual] : spellings) names.push_back(other);
  return names;
}

NamedEvent named_event(std::string_view target, const std::string& given) {
  const std::string name = given.substr(0, given.find(':'));
  const GenericEvent* const generic = find_generic(target, name);
  if (generic == nullptr) {
    if (const std::string nearest = nearest_event(name); !nearest.empty())
      throw UsageError(fmt::format("{} has no event '{}'; {}", target, name, nearest));
    return {given, ""};
  }
  if (generic->event.empty())
    throw UsageError(fmt::format("{}: no event of {} counts this: {}", name, target, generic->why));
  const std::string event = std::string(generic->event) + levels_of(given, given.substr(name.size()));
  return {event, fmt::format("{} is {}{}{}", given, event, generic->why.empty() ? "" : ": ", generic->why)};
}

std::vector<std::string> named_event_list(const Arguments& arguments, std::string_view target) {
  std::vector<std::string> events;
  for (const std::string& given : event_list(arguments)) {
    NamedEvent named = named_event(target, given);
    if (!named.note.empty()) std::cerr << fmt::format("pmusim: {}\n", named.note);
    events.push_back(std::move(named.event));
  }
  return events;
}

}  // namespace pmusim::testbench
