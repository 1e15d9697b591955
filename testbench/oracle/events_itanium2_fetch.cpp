// Itanium 2: instruction fetch, its cache, its buffers and its translations. Code ranges are held against the address
// that is fetched.
#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
namespace d = activity::detail;
namespace id = activity::ia64::detail;
namespace buffers = activity::ia64::fetch_buffers;

bool of_instructions(const EventSite& s) { return !s.any(d::side_data); }

Classes demand(const EventSite& s) { return when(by_demand_fetch(s)); }
Classes prefetch(const EventSite& s) { return when(by_prefetch(s)); }
Classes streaming_prefetch(const EventSite& s) { return when(by_prefetch(s) && s.any(id::fetch_streaming)); }
bool may_hit_buffers(const EventSite& s) { return by_demand_fetch(s) || (by_prefetch(s) && s.choices.prefetch_hits); }
Classes line_under_way(const EventSite& s) { return when(may_hit_buffers(s) && s.any(d::lookup_pending)); }
Classes line_in_stream_buffer(const EventSite& s) { return when(may_hit_buffers(s) && s.any(id::fetch_stream_buffer)); }
Classes demand_line(const EventSite& s) { return when(of_instructions(s) && by_demand_fetch(s)); }
Classes prefetch_line(const EventSite& s) { return when(of_instructions(s) && by_prefetch(s)); }

// ALL, L1ITLB, L2ITLB: a miss in the second level is also a miss in the first.
Classes translation_miss(const EventSite& s) {
  if (!of_instructions(s) || !by_demand_fetch(s)) return not_counted;
  return s.any(d::tlb_walk | id::tlb_fault) ? places({0, 1, 2}) : places({0, 1});
}

// ALL, FLOW
LevelIncrement prefetch_held(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::fetch_buffers);
  const bool held = (now & buffers::prefetch_held) != 0, flow = (now & buffers::prefetch_flow) != 0;
  return {when(held || flow, places({0})) | when(flow, places({1})), 1};
}

Event of_fetch(std::string_view name, Signal signal, Classes (*rule)(const EventSite&)) {
  return {.name = name, .rules = {{signal, rule}}, .most = 1, .filters = by_code};
}

}  // namespace

std::vector<Event> fetch_events() {
  std::vector<Event> list = {
      of_fetch("L1I_READS", Signal::fetch, demand),
      of_fetch("L1I_PREFETCHES", Signal::fetch, prefetch),
      of_fetch("L1I_STRM_PREFETCHES", Signal::fetch, streaming_prefetch),
      of_fetch("L1I_FETCH_RAB_HIT", Signal::fetch, line_under_way),
      of_fetch("L1I_FETCH_ISB_HIT", Signal::fetch, line_in_stream_buffer),
      of_fetch("L1I_FILLS", Signal::line_fill, where<d::side_data, 0>),
      of_fetch("ISB_BUNPAIRS_IN", Signal::bundle_pair_in, each),
      of_fetch("L2_INST_DEMAND_READS", Signal::line_request, demand_line),
      of_fetch("L2_INST_PREFETCHES", Signal::line_request, prefetch_line),
      of_fetch("ITLB_MISSES_FETCH", Signal::translation, translation_miss),
      of_fetch("L1ITLB_INSERTS_HPW", Signal::tlb_insert, where<d::side_data, 0>),
      of_fetch("L1I_PURGE", Signal::tlb_purge, each),
      {.name = "L1I_SNOOP", .rules = {{Signal::l1i_snoop, each}}, .most = 1, .filters = by_all},
      {.name = "L1I_PVAB_OVERFLOW", .rules = {{Signal::prefetch_lost, each}}, .most = 1},
      {.name = "L1I_RAB_FULL", .states = {State::fetch_buffers}, .level = holds<State::fetch_buffers, buffers::full>},
      {.name = "L1I_RAB_ALMOST_FULL",
       .states = {State::fetch_buffers},
       .level = holds<State::fetch_buffers, buffers::almost_full>},
      {.name = "L1I_PREFETCH_STALL",
       .umasks = {"ALL", "FLOW"},
       .states = {State::fetch_buffers},
       .increment = prefetch_held,
       .step = 1},
  };
  for (Event& event : list) {
    if (event.name == "ITLB_MISSES_FETCH") event.umasks = {"ALL", "L1ITLB", "L2ITLB"};
  }
  return list;
}

}  // namespace pmusim::oracle::itanium2
