#include <algorithm>
#include <stdexcept>

#include "testbench/oracle/event.h"
#include "testbench/oracle/family.h"

namespace pmusim::oracle {
namespace {

Classes none(const EventSite&) { return not_counted; }

}  // namespace

std::string Breakage::text() const {
  const std::string own_rule = event + ": rule " + std::to_string(rule + 1);
  switch (kind) {
    case Kind::never:
      return own_rule + " never holds";
    case Kind::every_occurrence:
      return own_rule + " holds for every occurrence";
    case Kind::unfiltered:
      return event + ": the filter of rule " + std::to_string(rule + 1) + " lets everything pass";
    case Kind::shifted:
      return event + ": its unit masks are shifted by one";
    case Kind::inverted:
      return event + ": its level is inverted";
    case Kind::uncapped:
      return event + ": a cycle counts without bound";
    case Kind::single:
      return own_rule + " counts one whatever the amount";
    case Kind::any_code:
      return event + ": code ranges do not restrict it";
    case Kind::any_opcode:
      return event + ": opcodes do not restrict it";
    case Kind::any_data:
      return event + ": data ranges do not restrict it";
    case Kind::any_thread:
      return event + ": it counts whichever thread it belongs to";
    case Kind::any_line:
      return event + ": line states do not restrict it";
    case Kind::as_it_comes:
      return event + ": a cycle counts its occurrences";
    case Kind::whole:
      return event + ": halves are whole";
    case Kind::lost:
      return event + ": what one cycle cannot count is lost";
    case Kind::every_cycle:
      return event + ": its level counts in every cycle";
  }
  return event;
}

namespace {

std::uint32_t once(const EventSite&) { return 1; }

void break_rule(OccurrenceRule& rule, Breakage::Kind kind) {
  switch (kind) {
    case Breakage::Kind::unfiltered:
      rule.passing = nullptr;
      return;
    case Breakage::Kind::single:
      rule.amount = once;
      return;
    default:
      rule.classes = kind == Breakage::Kind::never ? none : each;
  }
}

}  // namespace

Event broken(Event event, const Breakage& breakage) {
  switch (breakage.kind) {
    case Breakage::Kind::inverted:
      event.level_inverted = true;
      return event;
    case Breakage::Kind::shifted:
      event.umasks_shifted = true;
      return event;
    case Breakage::Kind::uncapped:
      event.most = 0;
      return event;
    case Breakage::Kind::any_code:
      event.honours.code = false;
      return event;
    case Breakage::Kind::any_opcode:
      event.honours.opcode = false;
      return event;
    case Breakage::Kind::any_data:
      event.honours.data = false;
      return event;
    case Breakage::Kind::any_thread:
      event.any_thread = true;
      return event;
    case Breakage::Kind::any_line:
      event.line_state = nullptr;
      return event;
    case Breakage::Kind::as_it_comes:
      event.of_cycle = nullptr;
      return event;
    case Breakage::Kind::whole:
      event.halves = false;
      return event;
    case Breakage::Kind::lost:
      event.carries = false;
      return event;
    case Breakage::Kind::every_cycle:
      event.longer_than = nullptr;
      return event;
    default:
      break;
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
    if (event.honours.code) add(Breakage::Kind::any_code);
    if (event.honours.opcode) add(Breakage::Kind::any_opcode);
    if (event.honours.data) add(Breakage::Kind::any_data);
  }
  return list;
}

}  // namespace pmusim::oracle
