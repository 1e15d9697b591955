#include "testbench/cli/event_pages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "models/activity/vocabulary.h"
#include "models/targets.h"
#include "testbench/cli/command_facts.h"
#include "testbench/explain/recorder.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {
namespace {

using encoder::EventInfo;

/// The event in a form that can be encoded: with its first unit mask if it requires one.
std::string spelled(const EventInfo& event) {
  const bool needs_mask =
      !event.unit_masks.empty() && std::ranges::none_of(event.unit_masks, &encoder::UnitMaskInfo::is_default);
  return needs_mask ? event.name + ':' + event.unit_masks[0].name : event.name;
}

std::string counters_in_words(const EventInfo& event, unsigned all) {
  std::vector<unsigned> indices;
  for (const auto& [counter, code] : event.counter_codes) indices.push_back(counter);
  if (indices.size() == all) return "it counts on every counter";
  return fmt::format("it counts on counter{} {} only", indices.size() == 1 ? "" : "s", fmt::join(indices, " and "));
}

std::string thread_type_in_words(const std::string& type) {
  if (type == "active") return "active: counted while the counter's thread is the active one";
  if (type == "floating") return "floating: caused by the counter's thread, also while it is in the background";
  if (type == "causal")
    return "causal: belongs to no thread and is counted while the counter's thread is the active one";
  return type + ": floating for the counter's own thread, causal for both";
}

std::vector<std::string> constraints_of(const std::string& target, const EventInfo& event) {
  const auto targets = encoder::targets();
  const auto info = std::ranges::find_if(targets, [&](const auto& t) { return t.name == std::string_view(target); });
  std::vector<std::string> lines{counters_in_words(event, info->counters),
                                 fmt::format("it counts at most {} in a cycle", event.max_per_cycle)};
  if (event.mask_is_fixed) lines.push_back(fmt::format("unit mask {} belongs to its name", hex(event.fixed_mask, 4)));
  if (!event.event_set.empty())
    lines.push_back(fmt::format("it belongs to {}: only one set of a group can be counted at a time", event.event_set));
  if (!event.filters.empty())
    lines.push_back(fmt::format("filters of the run that apply to it: {}", fmt::join(event.filters, ", ")));
  if (!event.thread_type.empty()) lines.push_back(thread_type_in_words(event.thread_type));
  if (!event.same_as.empty())
    lines.push_back(fmt::format("its register values are those of {}, the name printed by decode", event.same_as));
  return lines;
}

std::vector<std::string> inputs_in_words(const std::string& target, const EventInfo& event) {
  const models::Target* const model = models::find_target(target);
  const auto encoding = encoder::encode(target, std::vector{spelled(event)});
  if (model == nullptr || !encoding) return {};
  const EventInputs inputs = inputs_of(*model, encoding->registers, encoding->events[0].counter_index);
  return input_names(target, inputs.signals, inputs.states);
}

Json attributes_of(const std::string& target, const EventInfo& event) {
  Json list = Json::array();
  const auto all = encoder::attributes(target);
  for (const std::string& name : event.attributes) {
    const auto info = std::ranges::find_if(*all, [&](const auto& a) { return a.name == name; });
    if (info == all->end()) continue;
    list.push_back({{"attribute", name},
                    {"minimum", info->minimum},
                    {"maximum", info->maximum},
                    {"words", info->words},
                    {"meaning", info->meaning}});
  }
  return list;
}

/// Other events with the same code on a counter that both can use.
std::vector<std::string> siblings_of(const std::vector<EventInfo>& events, const EventInfo& event) {
  std::vector<std::string> names;
  if (!event.mask_is_fixed) return names;
  for (const EventInfo& other : events) {
    if (other.name != event.name && other.mask_is_fixed && other.code == event.code)
      names.push_back(fmt::format("{} (unit mask {})", other.name, hex(other.fixed_mask, 4)));
  }
  return names;
}

/// The events that can be counted together with `taken`, with their counters, and the reasons for the others.
struct Beside {
  std::vector<std::pair<const EventInfo*, std::string>> legal;
  std::vector<std::pair<const EventInfo*, std::string>> refused;
};
Beside beside(const std::string& target, const std::vector<EventInfo>& events, const std::vector<std::string>& taken) {
  Beside result;
  for (const EventInfo& event : events) {
    std::vector<std::string> set = taken;
    set.push_back(spelled(event));
    if (event.name.starts_with("PF67_PM_")) continue;  // a statistic, which needs the whole PMU
    const auto encoding = encoder::encode(target, set);
    if (encoding) {
      result.legal.emplace_back(&event, encoding->events.back().counter);
    } else {
      result.refused.emplace_back(&event, encoding.error().message);
    }
  }
  return result;
}

Json refused_to_json(const Beside& found) {
  Json list = Json::array();
  for (const auto& [event, why] : found.refused) list.push_back({{"event", event->name}, {"why", why}});
  return list;
}

void print_refused(const Json& refused) {
  Table table({{"event", "event"}, {"why", "why not"}});
  constexpr std::size_t most = 12;
  std::size_t shown = 0;
  for (const Json& one : refused) {
    if (shown++ < most) table.row({one.at("event"), one.at("why")});
  }
  table.print(std::cout, Format::text);
  if (shown > most) std::cout << fmt::format("... and {} more; --format json has all\n", shown - most);
}

void print_lines(std::string_view title, const Json& lines) {
  if (lines.empty()) return;
  std::cout << '\n' << title << '\n';
  for (const Json& line : lines) print_wrapped(std::cout, "  " + line.get<std::string>());
}

}  // namespace

std::vector<std::string> input_names(std::string_view target, const std::set<activity::Signal>& signals,
                                     const std::set<activity::State>& states) {
  const auto of_signals = activity::signal_names(target), of_states = activity::state_names(target);
  std::vector<std::string> names;
  for (const activity::Signal signal : signals) names.push_back(of_signals.at(static_cast<std::size_t>(signal)).name);
  for (const activity::State state : states) names.push_back(of_states.at(static_cast<std::size_t>(state)).name);
  return names;
}

void add_page(const std::string& target, const EventInfo& event, Json& object) {
  const auto events = encoder::events(target);
  object["inputs"] = inputs_in_words(target, event);
  object["constraints"] = constraints_of(target, event);
  object["attribute_limits"] = attributes_of(target, event);
  object["siblings"] = siblings_of(*events, event);
  object["ratios"] = Json::array();
  for (const Ratio& ratio : ratios_of(target)) {
    if (ratio.over == event.name || ratio.under == event.name)
      object["ratios"].push_back({{"name", ratio.name}, {"over", ratio.over}, {"under", ratio.under}});
  }
  std::vector<EventInfo> others;
  std::ranges::copy_if(*events, std::back_inserter(others),
                       [&](const EventInfo& other) { return other.name != event.name; });
  const Beside found = beside(target, others, {spelled(event)});
  object["partners"] = {{"legal", found.legal.size()}, {"refused", refused_to_json(found)}};
}

void print_page(const Json& object) {
  const auto text = [&](const char* key) { return object.at(key).get<std::string>(); };
  std::cout << fmt::format("{}::{}\n", text("target"), text("event"));
  print_wrapped(std::cout, text("description"));
  std::cout << '\n';
  print_wrapped(std::cout, fmt::format("source: {}{}", text("source"),
                                       object.at("confirmed").get<bool>() ? "" : "; not confirmed by a second one"));
  if (!object.at("inputs").empty())
    print_wrapped(std::cout, fmt::format("signals and states of the model: {} (docs/activity.md)",
                                         fmt::join(object.at("inputs").get<std::vector<std::string>>(), ", ")));
  std::cout << "\ncodes\n";
  Table codes({{"counter", "counter", true}, {"code", "code", true}});
  for (const Json& counter : object.at("counters")) codes.row({counter.at("counter"), counter.at("code")});
  codes.print(std::cout, Format::text);
  if (!object.at("unit_masks").empty()) {
    std::cout << "\nunit masks\n";
    Table masks({{"name", "name"}, {"code", "code", true}, {"description", "description"}});
    for (const Json& mask : object.at("unit_masks"))
      masks.row({mask.at("name"), mask.at("code"),
                 mask.at("description").get<std::string>() + (mask.at("default").get<bool>() ? " (default)" : "")});
    masks.print(std::cout, Format::text);
  }
  print_lines("same code, other unit masks", object.at("siblings"));
  print_lines("constraints", object.at("constraints"));
  std::cout << "\nattributes\n";
  Table attributes({{"attribute", "attribute"}, {"from", "from", true}, {"to", "to", true}, {"meaning", "meaning"}});
  for (const Json& a : object.at("attribute_limits"))
    attributes.row({a.at("attribute"), a.at("minimum"), a.at("maximum"), a.at("meaning")});
  attributes.print(std::cout, Format::text);
  if (!object.at("ratios").empty()) {
    std::cout << "\n"
                 "metrics that use it\n";
    for (const Json& ratio : object.at("ratios"))
      print_wrapped(std::cout, fmt::format("  {}: {} / {}", ratio.at("name").get<std::string>(),
                                           ratio.at("over").get<std::string>(), ratio.at("under").get<std::string>()));
  }
  const Json& partners = object.at("partners");
  std::cout << '\n';
  print_wrapped(std::cout, fmt::format("partners: {} events can be counted together with it{}",
                                       partners.at("legal").get<std::size_t>(),
                                       partners.at("refused").empty() ? "" : ", not these:"));
  if (!partners.at("refused").empty()) print_refused(partners.at("refused"));
}

std::string undefined_event(const std::vector<std::string>& targets, const std::string& name) {
  for (const std::string& target : targets) {
    const auto encoding = encoder::encode(target, std::vector{name});
    if (!encoding && encoding.error().code == encoder::ErrorCode::reserved_event) return encoding.error().message;
  }
  return "";
}

Json choice_beside(const std::string& target, const std::vector<std::string>& events) {
  const auto encoding = encoder::encode(target, events);
  if (!encoding) throw UsageError(encoding.error().message);
  const auto all = encoder::events(target);
  const Beside found = beside(target, *all, events);
  Json object{{"target", target}, {"chosen", Json::array()}, {"legal", Json::array()}};
  for (const encoder::EncodedEvent& event : encoding->events)
    object["chosen"].push_back({{"event", event.canonical}, {"counter", event.counter}});
  for (const auto& [event, counter] : found.legal)
    object["legal"].push_back({{"event", event->name}, {"counter", counter}, {"description", event->description}});
  object["refused"] = refused_to_json(found);
  return object;
}

void print_choice(const Json& object) {
  for (const Json& event : object.at("chosen"))
    std::cout << fmt::format("{}: {}\n", event.at("counter").get<std::string>(), event.at("event").get<std::string>());
  const std::size_t legal = object.at("legal").size(), refused = object.at("refused").size();
  std::cout << fmt::format("\n{} of {} events can be added{}\n", legal, legal + refused, legal == 0 ? "" : ":");
  Table table({{"event", "event"}, {"counter", "counter"}, {"description", "description"}});
  for (const Json& event : object.at("legal"))
    table.row({event.at("event"), event.at("counter"), event.at("description")});
  if (legal != 0) table.print(std::cout, Format::text);
  if (refused == 0) return;
  std::cout << fmt::format("\n{} cannot:\n", refused);
  print_refused(object.at("refused"));
}

}  // namespace pmusim::testbench
