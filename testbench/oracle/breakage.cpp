#include <stdexcept>

#include "testbench/oracle/event.h"

namespace pmusim::oracle {
namespace {

Classes none(const Scene&) { return not_counted; }

}  // namespace

std::string Breakage::text() const {
  switch (kind) {
    case Kind::never:
      return event + ": rule " + std::to_string(rule + 1) + " never holds";
    case Kind::every_occurrence:
      return event + ": rule " + std::to_string(rule + 1) + " holds for every occurrence";
    case Kind::unfiltered:
      return event + ": the filter of rule " + std::to_string(rule + 1) + " lets everything pass";
    case Kind::shifted:
      return event + ": its unit masks are shifted by one";
    case Kind::inverted:
      return event + ": its level is inverted";
  }
  return event;
}

Event broken(Event event, const Breakage& breakage) {
  if (breakage.kind == Breakage::Kind::inverted) {
    event.level_inverted = true;
  } else if (breakage.kind == Breakage::Kind::shifted) {
    event.umasks_shifted = true;
  } else if (event.time_base) {
    event.time_base = false;
  } else if (breakage.rule >= event.happenings.size()) {
    throw std::invalid_argument(breakage.event + " has no rule " + std::to_string(breakage.rule + 1));
  } else if (breakage.kind == Breakage::Kind::unfiltered) {
    event.happenings[breakage.rule].passes = nullptr;
  } else {
    event.happenings[breakage.rule].classes = breakage.kind == Breakage::Kind::never ? none : each;
  }
  return event;
}

}  // namespace pmusim::oracle
