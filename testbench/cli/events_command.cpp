// pmusim events: the encoder's tables as text and JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/cli/command.h"
#include "testbench/cli/command_facts.h"
#include "testbench/cli/event_pages.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/perf_names.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

/// Events with the names of their targets.
using ListedEvents = std::vector<std::pair<std::string, encoder::EventInfo>>;

using encoder::EventInfo;
using encoder::UnitMaskInfo;

/// The counters of each code.
std::map<std::uint64_t, std::vector<unsigned>> counters_by_code(const EventInfo& event) {
  std::map<std::uint64_t, std::vector<unsigned>> counters;
  for (const auto& [counter, code] : event.counter_codes) counters[code].push_back(counter);
  return counters;
}

/// The unit mask of an event without one in its request: 0 unless the target says otherwise; -1: it needs one.
std::int64_t default_mask(const EventInfo& event) {
  if (event.mask_is_fixed) return static_cast<std::int64_t>(event.fixed_mask);
  std::uint64_t mask = 0;
  bool any = event.unit_masks.empty();
  for (const UnitMaskInfo& one : event.unit_masks) {
    if (one.is_default) mask |= one.code;
    any = any || one.is_default;
  }
  return any ? static_cast<std::int64_t>(mask) : -1;
}

/// The events of a code. Perf identifies an event by its name alone, so an event with a different code for each counter
/// becomes several events.
void add_perf_events(const EventInfo& event, std::uint64_t code, const std::vector<unsigned>& counters, Json& all) {
  std::string name = event.name;
  if (event.counter_codes.size() != counters.size()) name += fmt::format("_ON_{}", fmt::join(counters, "_"));
  const auto add = [&, &base = name](const std::string& mask_name, std::int64_t mask, const std::string& words) {
    Json object{{"EventName", mask_name.empty() ? base : base + '.' + mask_name},
                {"EventCode", fmt::format("0x{:02x}", code)}};
    if (mask > 0) object["UMask"] = fmt::format("0x{:02x}", mask);
    object["BriefDescription"] = words;
    object["Counter"] = fmt::format("{}", fmt::join(counters, ","));
    all.push_back(std::move(object));
  };
  if (const std::int64_t mask = default_mask(event); mask >= 0) add("", mask, event.description);
  for (const UnitMaskInfo& mask : event.unit_masks)
    add(mask.name, static_cast<std::int64_t>(mask.code), event.description + ": " + mask.description);
}

void print_modifiers(const std::string& target, const EventInfo& event, std::ostream& out) {
  const auto known = encoder::attributes(target);
  unsigned number = 0;
  for (const std::string& name : event.attributes) {
    const auto info = std::ranges::find_if(*known, [&](const auto& one) { return one.name == name; });
    if (info == known->end()) continue;
    const auto code = info - known->begin();
    out << fmt::format("Modif-{:02} : 0x{:02x} : PMU : [{}] : {}", number++, code, name, info->meaning);
    out << (info->minimum == 0 && info->maximum == 1
                ? " (boolean)\n"
                : fmt::format(" in range [{}-{}] (integer)\n", info->minimum, info->maximum));
  }
}

/// One array as in tools/perf/pmu-events/arch of Linux: an object for each event and each of its unit masks.
void print_perf_json(const ListedEvents& events, std::ostream& out) {
  Json all = Json::array();
  for (const auto& [target, event] : events) {
    for (const auto& [code, counters] : counters_by_code(event)) add_perf_events(event, code, counters, all);
  }
  out << all.dump(2) << '\n';
}

/// As libpfm4's example program showevtinfo prints them.
void print_showevtinfo(const ListedEvents& events, std::ostream& out) {
  std::size_t index = 0;
  for (const auto& [target, event] : events) {
    const models::Target* const model = models::find_target(target);
    out << fmt::format(
        "#-----------------------------\nIDX\t : {}\nPMU name : {} ({})\nName     : {}\nEquiv\t : {}\nFlags    : None\n"
        "Desc     : {}\nCode     : 0x{:x}\n",
        index++, target, model == nullptr ? target : model->description, event.name,
        event.same_as.empty() ? "None" : event.same_as, event.description, event.code);
    unsigned number = 0;
    for (const UnitMaskInfo& mask : event.unit_masks)
      out << fmt::format("Umask-{:02} : 0x{:02x} : PMU : [{}] : {} : {}\n", number++, mask.code, mask.name,
                         mask.is_default ? "[default]" : "None", mask.description);
    print_modifiers(target, event, out);
  }
}

constexpr HelpText events_help{
    "pmusim events -t TARGET [PATTERN | NAME]\n"
    "       pmusim events -t TARGET --choose EVENT ...\n"
    "       pmusim events -t TARGET --ratios | --generic",
    "Lists the events of a target whose name, unit mask or description contains PATTERN (case-insensitive), or\n"
    "whose code on some counter is PATTERN (0x41): code, counters that can count the event, maximum count per\n"
    "cycle, and unit masks. IA-64 targets also list the unit mask that belongs to the name and the event set; the\n"
    "events of a set share wires, and only one set of a group can be counted at a time. A target with two hardware\n"
    "threads also lists whose occurrences the event counts.\n"
    "JSON adds sources, attributes and filters.\n"
    "A whole NAME prints the page of the event: definition and source, the signals that the model reads, codes,\n"
    "unit masks (on an IA-64 target those of the other names with its code), constraints, attributes with their\n"
    "limits, the metrics that use it, and the events that cannot be counted together with it, with the reason.\n"
    "--choose lists the events that can still be counted together with the given ones, on which counter, and why\n"
    "the others cannot.\n"
    "--ratios lists pairs of events whose ratio is a metric, --generic the events that perf's names stand for.\n"
    "--format perf-json prints the tables as those of Linux's perf (tools/perf/pmu-events), for one target; --format\n"
    "showevtinfo as libpfm4's program of this name.",
    examples::events};

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

/// True if the pattern is the event's code on some counter, in hexadecimal: "0X41".
bool is_code(const encoder::EventInfo& event, const std::string& pattern) {
  if (!pattern.starts_with("0X")) return false;
  const auto code = whole_number(std::string_view(pattern).substr(2), 16);
  return code && std::ranges::any_of(event.counter_codes, [&](const auto& one) { return one.second == *code; });
}

bool matches(const encoder::EventInfo& event, const std::string& pattern) {
  if (pattern.empty() || is_code(event, pattern)) return true;
  std::string all = upper(event.name) + '\n' + upper(event.description);
  for (const encoder::UnitMaskInfo& mask : event.unit_masks)
    all += '\n' + upper(mask.name) + '\n' + upper(mask.description);
  return all.find(pattern) != std::string::npos;
}

Json to_json(const std::string& target, const encoder::EventInfo& event) {
  Json object{{"target", target},
              {"event", event.name},
              {"description", event.description},
              {"source", event.source},
              {"confirmed", event.confirmed},
              {"max_per_cycle", event.max_per_cycle},
              {"attributes", event.attributes}};
  if (!event.filters.empty()) object["filters"] = event.filters;
  if (!event.thread_type.empty()) object["thread_type"] = event.thread_type;
  if (event.mask_is_fixed) object["unit_mask"] = hex(event.fixed_mask, 4);
  if (!event.event_set.empty()) object["event_set"] = event.event_set;
  object["counters"] = Json::array();
  for (const auto& [counter, code] : event.counter_codes)
    object["counters"].push_back({{"counter", counter}, {"code", hex(code, 8)}});
  object["unit_masks"] = Json::array();
  for (const encoder::UnitMaskInfo& mask : event.unit_masks) {
    object["unit_masks"].push_back({{"name", mask.name},
                                    {"code", hex(mask.code, 8)},
                                    {"description", mask.description},
                                    {"default", mask.is_default}});
  }
  return object;
}

std::string counters(const encoder::EventInfo& event) {
  std::string text;
  for (const auto& [counter, code] : event.counter_codes) text += fmt::format("{}{}", text.empty() ? "" : ",", counter);
  return text;
}

void print_table(const ListedEvents& found, Format format) {
  const auto any = [&](const auto& has) {
    return std::ranges::any_of(found, [&](const auto& one) { return has(one.second); });
  };
  std::vector<Table::Column> columns{{"target", "target"},
                                     {"event", "event"},
                                     {"code", "code", true},
                                     {"counters", "counters"},
                                     {"max_per_cycle", "max", true}};
  if (any([](const encoder::EventInfo& event) { return !event.thread_type.empty(); }))
    columns.push_back({"thread_type", "type"});
  if (any([](const encoder::EventInfo& event) { return event.mask_is_fixed; }))
    columns.insert(columns.end(), {{"unit_mask", "umask", true}, {"event_set", "set"}});
  columns.push_back({"description", "description", false, Table::Fit::below});
  Table table(columns);
  for (const auto& [target, event] : found) {
    table.row_of({{"target", target},
                  {"event", event.name},
                  {"code", hex(event.code, 8)},
                  {"counters", counters(event)},
                  {"max_per_cycle", event.max_per_cycle},
                  {"thread_type", event.thread_type},
                  {"unit_mask", event.mask_is_fixed ? hex(event.fixed_mask, 4) : ""},
                  {"event_set", event.event_set},
                  {"description", event.description}});
    for (const encoder::UnitMaskInfo& mask : event.unit_masks)
      table.row_of({{"target", target},
                    {"event", "  :" + mask.name},
                    {"code", hex(mask.code, 8)},
                    {"max_per_cycle", nullptr},
                    {"description", mask.description + (mask.is_default ? " (default)" : "")}});
  }
  table.print(std::cout, format);
}

std::string one_target(const Arguments& arguments) {
  if (!arguments.has("target")) throw UsageError("--target is missing: {}", examples::name_a_target);
  const auto target = arguments.get<std::string>("target");
  check_encodable(target);
  return target;
}

int run_choose(const Arguments& arguments) {
  const std::string target = one_target(arguments);
  if (arguments.positional().empty()) throw UsageError("--choose: name the events that are to be counted");
  if (arguments.format() == Format::csv) throw UsageError("--format csv: a choice is no table; use text or json");
  const Json object = choice_beside(target, arguments.positional());
  if (arguments.format() == Format::json) return print_object(object);
  print_choice(object);
  return exit_good;
}

int run_ratios(const Arguments& arguments) {
  const std::string target = one_target(arguments);
  if (!arguments.positional().empty())
    throw UsageError("--ratios takes no PATTERN; leave '{}' out", arguments.positional()[0]);
  Table table({{"name", "ratio"}, {"over", "of"}, {"under", "to", false, Table::Fit::below}});
  for (const Ratio& ratio : ratios_of(target))
    table.row({std::string(ratio.name), std::string(ratio.over), std::string(ratio.under)});
  table.print(std::cout, arguments.format());
  return exit_good;
}

int run_generic(const Arguments& arguments) {
  const std::string target = one_target(arguments);
  if (!arguments.positional().empty())
    throw UsageError("--generic takes no PATTERN; leave '{}' out", arguments.positional()[0]);
  Table table({{"name", "name"}, {"event", "event"}, {"remark", "remark", false, Table::Fit::below}});
  for (const GenericEvent& one : generic_events_of(target))
    table.row({std::string(one.name), one.event.empty() ? Json() : Json(one.event), std::string(one.why)});
  table.print(std::cout, arguments.format());
  return exit_good;
}

/// PATTERN; the event that a generic name stands for.
std::string pattern_of(const Arguments& arguments, const std::string& target) {
  if (arguments.positional().empty()) return "";
  const NamedEvent named = named_event(target, arguments.positional()[0]);
  if (!named.note.empty()) std::cerr << fmt::format("pmusim: {}\n", named.note);
  return named.event;
}

/// The lists that an option selects; null: none does.
auto list_of(const Arguments& arguments) -> int (*)(const Arguments&) {
  int (*chosen)(const Arguments&) = nullptr;
  std::string before;
  for (const auto& [option, list] : {std::pair<const char*, int (*)(const Arguments&)>{"choose", run_choose},
                                     {"ratios", run_ratios},
                                     {"generic", run_generic}}) {
    if (!arguments.get<bool>(option)) continue;
    if (chosen != nullptr) throw UsageError("--{} does not go with --{}", before, option);
    chosen = list;
    before = option;
  }
  return chosen;
}

Options events_options() {
  return {{"target,t", po::text("all"), "one target, or all"},
          {"choose", po::flag(), "list the events that can be counted together with the given ones"},
          {"ratios", po::flag(), "list pairs of events whose ratio is a metric"},
          {"generic", po::flag(), "list perf's names of events and what they stand for"}};
}

int run_events(const Arguments& arguments) {
  if (const auto list_only = list_of(arguments)) {
    if (!arguments.other_format().empty())
      throw UsageError("--format {} lists events; leave --choose, --ratios and --generic out",
                       arguments.other_format());
    return list_only(arguments);
  }
  if (arguments.positional().size() > 1) throw UsageError("more than one PATTERN; quote a pattern that has spaces");
  const auto named = arguments.get<std::string>("target");
  const std::string pattern = upper(pattern_of(arguments, named));
  ListedEvents found;
  if (named != "all") check_encodable(named);
  const std::vector<std::string> targets = named == "all" ? targets_of(named) : std::vector{named};
  for (const std::string& target : targets) {
    const auto events = encoder::events(target);
    if (!events) throw UsageError(events.error().message);
    for (const encoder::EventInfo& event : *events) {
      if (matches(event, pattern)) found.emplace_back(target, event);
    }
  }
  if (const std::string why = found.empty() ? undefined_event(targets, pattern) : ""; !why.empty())
    throw UsageError(why);
  if (arguments.other_format() == "perf-json" && named == "all")
    throw UsageError("--format perf-json is for one target; {}", examples::add_a_target);
  if (found.empty())
    throw UsageError("no event contains '{}'; without a pattern all are listed", arguments.positional()[0]);
  if (!arguments.other_format().empty()) {
    (arguments.other_format() == "perf-json" ? print_perf_json : print_showevtinfo)(found, std::cout);
    return exit_good;
  }
  const auto exact = std::ranges::find_if(found, [&](const auto& one) { return upper(one.second.name) == pattern; });
  if (exact != found.end() && named != "all" && arguments.format() != Format::csv) {
    Json object = to_json(exact->first, exact->second);
    add_page(exact->first, exact->second, object);
    if (arguments.format() == Format::json) return print_object(object);
    print_page(object);
    return exit_good;
  }
  if (arguments.format() == Format::json) {
    for (const auto& [target, event] : found) std::cout << to_json(target, event).dump() << '\n';
  } else {
    print_table(found, arguments.format());
  }
  return exit_good;
}

}  // namespace

const CommandBody events_body{events_help, events_options, run_events, any_number,
                              "text|json|csv|perf-json|showevtinfo"};

}  // namespace pmusim::testbench
