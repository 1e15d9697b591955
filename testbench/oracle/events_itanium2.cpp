// Events of the Itanium 2 (McKinley, Madison), by name: the table whose parts are in events_itanium2_*.cpp.
#include "testbench/oracle/events_itanium2.h"

#include <algorithm>

namespace pmusim::oracle {

const std::vector<Event>& itanium2_events() {
  static const std::vector<Event> all = [] {
    std::vector<Event> list;
    using namespace itanium2;  // NOLINT: the parts
    for (auto part : {retirement_events, branch_events, cycle_events, fetch_events, data_events, l2_queue_events,
                      bus_events, capture_events}) {
      for (Event& event : part()) list.push_back(std::move(event));
    }
    for (Event& event : list) {  // code ranges apply at levels, and may depend on PSR.db
      for (const activity::State state : {activity::State::cpl, activity::State::psr}) {
        const bool there = std::find(event.states.begin(), event.states.end(), state) != event.states.end();
        if (event.filters.code && !there) event.states.push_back(state);
      }
    }
    return list;
  }();
  return all;
}

}  // namespace pmusim::oracle
