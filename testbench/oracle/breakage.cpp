#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "testbench/oracle/event.h"
#include "testbench/oracle/family.h"

namespace pmusim::oracle {
namespace {

/// What a breakage is called, and its change of an event if it is none of a rule.
struct BreakageForm {
  Breakage::Kind kind;
  std::string_view text;  ///< {1} is the number of the rule
  void (*change)(Event&) = nullptr;
};
const BreakageForm& form_of(Breakage::Kind kind) {
  using enum Breakage::Kind;
  static constexpr BreakageForm forms[] = {
      {never, "{0}: rule {1} never holds"},
      {every_occurrence, "{0}: rule {1} holds for every occurrence"},
      {unfiltered, "{0}: the filter of rule {1} lets everything pass"},
      {shifted, "{0}: its unit masks are shifted by one", [](Event& e) { e.umasks_shifted = true; }},
      {inverted, "{0}: its level is inverted", [](Event& e) { e.level_inverted = true; }},
      {uncapped, "{0}: a cycle counts without bound", [](Event& e) { e.most = 0; }},
      {single, "{0}: rule {1} counts one whatever the amount"},
      {any_code, "{0}: code ranges do not restrict it", [](Event& e) { e.filters.code = false; }},
      {any_opcode, "{0}: opcodes do not restrict it", [](Event& e) { e.filters.opcode = false; }},
      {any_data, "{0}: data ranges do not restrict it", [](Event& e) { e.filters.data = false; }},
      {any_thread, "{0}: it counts whichever thread it belongs to", [](Event& e) { e.any_thread = true; }},
      {any_line, "{0}: line states do not restrict it", [](Event& e) { e.line_state = nullptr; }},
      {as_it_comes, "{0}: a cycle counts its occurrences", [](Event& e) { e.of_cycle = nullptr; }},
      {whole, "{0}: halves are whole", [](Event& e) { e.halves = false; }},
      {lost, "{0}: what one cycle cannot count is lost", [](Event& e) { e.carries = false; }},
      {every_cycle, "{0}: its level counts in every cycle", [](Event& e) { e.longer_than = nullptr; }}};
  return *std::find_if(std::begin(forms), std::end(forms), [&](const BreakageForm& form) { return form.kind == kind; });
}

void break_rule(OccurrenceRule& rule, Breakage::Kind kind) {
  if (kind == Breakage::Kind::unfiltered) {
    rule.passing = nullptr;
  } else if (kind == Breakage::Kind::single) {
    rule.amount = [](const EventSite&) { return std::uint32_t{1}; };
  } else {
    rule.classes = kind == Breakage::Kind::never ? +[](const EventSite&) { return not_counted; } : each;
  }
}

}  // namespace

std::string Breakage::text() const { return fmt::format(fmt::runtime(form_of(kind).text), event, rule + 1); }

Event broken(Event event, const Breakage& breakage) {
  if (const auto change = form_of(breakage.kind).change) {
    change(event);
    return event;
  }
  if (event.time_base || event.bus_clock) {
    event.time_base = event.bus_clock = false;
  } else if (event.transition) {
    event.transition.reset();
  } else if (event.unit != CaptureUnit::none) {
    if (breakage.kind == Breakage::Kind::unfiltered) {
      event.captures_all = true;
    } else {
      event.unit = CaptureUnit::none;
    }
  } else if (breakage.rule >= event.rules.size()) {
    throw std::invalid_argument(breakage.event + " has no rule " + std::to_string(breakage.rule + 1));
  } else {
    break_rule(event.rules[breakage.rule], breakage.kind);
  }
  return event;
}

std::vector<Breakage> breakages(std::string_view target) {
  std::vector<Breakage> list;
  for (const Event& event : family_of(target).events()) {
    const auto add = [&, name = std::string(event.name)](Breakage::Kind kind, std::size_t rule = 0) {
      list.push_back({name, rule, kind});
    };
    for (std::size_t i = 0; i < event.rules.size(); ++i) {
      const OccurrenceRule& rule = event.rules[i];
      if (rule.if_chosen != nullptr) continue;  // does not occur by default
      add(Breakage::Kind::never, i);
      if (rule.classes != each && !rule.usually_each) add(Breakage::Kind::every_occurrence, i);
      if (rule.passing != nullptr) add(Breakage::Kind::unfiltered, i);
      if (rule.amount != nullptr) add(Breakage::Kind::single, i);
    }
    const auto rules = std::count_if(event.rules.begin(), event.rules.end(),
                                     [](const OccurrenceRule& rule) { return rule.if_chosen == nullptr; });
    const bool alike = event.by_channel && rules == 1;  // its unit masks differ only in their filters
    if (event.umasks.size() > 1 && event.unit == CaptureUnit::none && !alike) add(Breakage::Kind::shifted);
    if (event.level != nullptr || event.increment != nullptr) add(Breakage::Kind::inverted);
    if (event.time_base || event.bus_clock || (event.transition && event.transition->if_chosen == nullptr))
      add(Breakage::Kind::never);
    if (event.unit != CaptureUnit::none) {
      add(Breakage::Kind::never);
      add(Breakage::Kind::unfiltered);
    }
    if (event.most != 0) add(event.carries ? Breakage::Kind::lost : Breakage::Kind::uncapped);
    if (event.of_cycle != nullptr) add(Breakage::Kind::as_it_comes);
    if (event.halves) add(Breakage::Kind::whole);
    if (event.longer_than != nullptr) add(Breakage::Kind::every_cycle);
    if (event.attribution && event.unit == CaptureUnit::none) add(Breakage::Kind::any_thread);
    if (event.line_state != nullptr) add(Breakage::Kind::any_line);
    if (event.by_channel || event.unit != CaptureUnit::none) continue;  // "unfiltered" breaks them
    if (event.filters.code) add(Breakage::Kind::any_code);
    if (event.filters.opcode) add(Breakage::Kind::any_opcode);
    if (event.filters.data) add(Breakage::Kind::any_data);
  }
  return list;
}

}  // namespace pmusim::oracle
