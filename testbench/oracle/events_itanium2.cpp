// Events of the Itanium 2 (McKinley, Madison), by name: the table whose parts are in events_itanium2_*.cpp.
#include "testbench/oracle/events_itanium2.h"

// Itanium 2: events that count the captures of the event address registers and of the branch trace buffer. The captures
// are defined in ear_lists.cpp and trace_buffer.cpp.
namespace pmusim::oracle::itanium2 {

std::vector<Event> capture_events() {
  return {
      {.name = "DATA_EAR_CACHE",
       .umasks = {"LAT4", "LAT8", "LAT16", "LAT32", "LAT64", "LAT128", "LAT256", "LAT512", "LAT1024", "LAT2048",
                  "LAT4096"},
       .filters = by_all,
       .unit = CaptureUnit::data_ear},
      {.name = "DATA_EAR_TLB",
       .umasks = {"L2DTLB", "VHPT", "L2DTLB_OR_VHPT", "FAULT", "L2DTLB_OR_FAULT", "VHPT_OR_FAULT", "ALL"},
       .filters = by_all,
       .unit = CaptureUnit::data_ear},
      {.name = "DATA_EAR_ALAT", .filters = by_all, .unit = CaptureUnit::data_ear},
      {.name = "DATA_EAR_EVENTS", .filters = by_all, .unit = CaptureUnit::data_ear},
      {.name = "L1I_EAR_CACHE",
       .umasks = {"LAT0", "LAT4", "LAT8", "LAT16", "LAT32", "LAT128", "LAT256", "LAT1024", "LAT4096", "RAB"},
       .filters = by_code,
       .unit = CaptureUnit::fetch_ear},
      {.name = "L1I_EAR_TLB",
       .umasks = {"L2TLB", "VHPT", "L2TLB_OR_VHPT", "FAULT", "L2TLB_OR_FAULT", "VHPT_OR_FAULT", "ALL"},
       .filters = by_code,
       .unit = CaptureUnit::fetch_ear},
      {.name = "L1I_EAR_EVENTS", .filters = by_code, .unit = CaptureUnit::fetch_ear},
      {.name = "BRANCH_EVENT", .filters = by_instruction, .unit = CaptureUnit::branch_buffer},
  };
}

}  // namespace pmusim::oracle::itanium2

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
      if (!event.filters.code) continue;
      for (const activity::State state : {activity::State::cpl, activity::State::psr}) event.add_state(state);
    }
    return list;
  }();
  return all;
}

}  // namespace pmusim::oracle
