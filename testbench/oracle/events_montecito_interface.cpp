// Montecito: the system interface, its queues and its bus, where they differ from the Itanium 2.
#include <array>

#include "testbench/oracle/events_montecito.h"

namespace pmusim::oracle::montecito {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::BusAgent;
using activity::ia64::BusKind;
using activity::ia64::InterfaceQueue;
using itanium2::places;
using itanium2::when;
namespace id = activity::ia64::detail;
namespace queues = activity::ia64::bus_queues;
namespace own = activity::ia64::interface_queues;
namespace clocks = activity::ia64::bus_clocks;
namespace reject = activity::ia64::request_reject;

// --- bus: ANY, IO, SELF, EITHER -------------------------------------------------------------------------
Classes read_invalidate_hits_modified(const EventSite& s) {
  const bool line = itanium2::bus_kind(s) == BusKind::read_invalidate_line;
  return when(line && s.any(id::bus_answer_modified), itanium2::by_agent(s));
}
LevelIncrement back_to_back(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::bus_clocks);
  const auto whose = static_cast<BusAgent>(now >> clocks::data_agent_shift & 3);
  return {when((now & clocks::back_to_back) != 0, itanium2::places_of(whose)), 1};
}

// --- requests to the outside ------------------------------------------------------------------------------
LevelIncrement snoops_high(const StateValues& states) {
  return {counted, static_cast<std::uint32_t>(value_of(states, State::bus_queues) >> queues::snoops_shift >> 3 & 3)};
}
template <std::uint64_t bits>
bool rejects(const StateValues& states, const Choices&) {
  return (value_of(states, State::request_reject) & bits) == bits;
}

// --- queues of the interface: EITHER, SELF ------------------------------------------------------------------
bool of_queue(const EventSite& s, InterfaceQueue queue) {
  return (s.what.detail & activity::ia64::interface_queue_mask) == static_cast<std::uint16_t>(queue);
}
unsigned kind(const EventSite& s) { return s.what.detail >> activity::ia64::interface_kind_shift & 7; }
Classes by_core(const EventSite& s) {
  return s.any(activity::ia64::interface_other_core) ? places({0}) : places({0, 1});
}

template <InterfaceQueue queue>
Classes entry(const EventSite& s) {
  return when(of_queue(s, queue), by_core(s));
}
// Both cores' count; there are no unit masks.
template <InterfaceQueue queue>
Classes any_entry(const EventSite& s) {
  return when(of_queue(s, queue));
}
// ALL, then each kind in turn, all by core
template <InterfaceQueue queue>
Classes entry_by_kind(const EventSite& s) {
  return when(of_queue(s, queue), by_core(s) | by_core(s) << (2 + 2 * kind(s)));
}
// ALL, MISS, HIT, HITM, of either core
Classes signoff(const EventSite& s) {
  return when(of_queue(s, InterfaceQueue::snoop_coalescing), places({0, 1 + kind(s)}));
}
// ALL, SGL, DBL, all by core
Classes ecc_error(const EventSite& s) {
  return by_core(s) | by_core(s) << (s.any(activity::ia64::interface_double_error) ? 4 : 2);
}

Event of_interface(std::string_view name, std::uint32_t most, Signal signal, Classes (*rule)(const EventSite&),
                   std::vector<std::string_view> umasks) {
  return {.name = name, .umasks = std::move(umasks), .rules = {{signal, rule}}, .most = most};
}

/// Selected bits of the number of entries in a queue. Two levels have two increments, so unit masks are rows of their
/// own.
template <State whose, unsigned queue, unsigned shift, std::uint32_t mask>
LevelIncrement bits_of(const StateValues& states) {
  return {counted, static_cast<std::uint32_t>(value_of(states, whose) >> queue & 0xff) >> shift & mask};
}
template <State whose, unsigned queue, unsigned shift, std::uint32_t mask>
Event live(std::string_view name) {
  return {.name = name, .states = {whose}, .increment = bits_of<whose, queue, shift, mask>, .step = mask};
}
template <unsigned queue>
void add_live(std::vector<Event>& list, std::array<std::string_view, 4> rows) {
  list.push_back(live<State::interface_both, queue, 0, 7>(rows[0]));
  list.push_back(live<State::interface_self, queue, 0, 7>(rows[1]));
  list.push_back(live<State::interface_both, queue, 3, 1>(rows[2]));
  list.push_back(live<State::interface_self, queue, 3, 1>(rows[3]));
}

}  // namespace

std::vector<Event> interface_events() {
  using Queue = InterfaceQueue;
  const std::vector<std::string_view> cores = {"EITHER", "SELF"}, agents = {"ANY", "IO", "SELF", "EITHER"};
  std::vector<Event> list = {
      of_interface("BUS_RD_INVAL_BST_HITM", 1, Signal::bus_transaction, read_invalidate_hits_modified, agents),
      {.name = "BUS_B2B_DATA_CYCLES",
       .umasks = agents,
       .states = {State::bus_clocks},
       .increment = back_to_back,
       .step = 1},
      {.name = "ER_SNOOPQ_REQ_HI", .states = {State::bus_queues}, .most = 2, .increment = snoops_high},
      {.name = "ER_REJECT_ALL_L1_REQ",
       .states = {State::request_reject},
       .level = rejects<reject::instruction | reject::data>},
      {.name = "ER_REJECT_ALL_L1D_REQ", .states = {State::request_reject}, .level = rejects<reject::data>},
      {.name = "ER_REJECT_ALL_L1I_REQ", .states = {State::request_reject}, .level = rejects<reject::instruction>},
      {.name = "SI_CYCLES", .states = {State::bus_ratio}, .bus_clock = true},
      of_interface("SI_RQ_INSERTS", 2, Signal::interface_insert, entry<Queue::request>, cores),
      of_interface("SI_CCQ_INSERTS", 2, Signal::interface_insert, entry<Queue::clean_castout>, cores),
      of_interface("SI_WRITEQ_INSERTS", 2, Signal::interface_insert, entry_by_kind<Queue::write>,
                   {"ALL_EITHER", "ALL_SELF", "IWB_EITHER", "IWB_SELF", "EWB_EITHER", "EWB_SELF", "WC1_8A_EITHER",
                    "WC1_8A_SELF", "WC16_EITHER", "WC16_SELF", "WC32_EITHER", "WC32_SELF", "NEWB_EITHER", "NEWB_SELF",
                    "WC1_8B_EITHER", "WC1_8B_SELF"}),
      of_interface(
          "SI_SCB_INSERTS", 4, Signal::interface_insert, entry_by_kind<Queue::snoop_coalescing>,
          {"ALL_EITHER", "ALL_SELF", "MISS_EITHER", "MISS_SELF", "HIT_EITHER", "HIT_SELF", "HITM_EITHER", "HITM_SELF"}),
      of_interface("SI_SCB_SIGNOFFS", 1, Signal::interface_signoff, signoff, {"ALL", "MISS", "HIT", "HITM"}),
      of_interface("SI_WAQ_COLLISIONS", 1, Signal::interface_collision, entry<Queue::write_address>, cores),
      of_interface("SI_CCQ_COLLISIONS", 2, Signal::interface_collision, entry<Queue::clean_castout>, cores),
      of_interface("SI_IOQ_COLLISIONS", 2, Signal::interface_collision, any_entry<Queue::in_order>, {}),
      of_interface("SI_WDQ_ECC_ERRORS", 2, Signal::interface_ecc, ecc_error,
                   {"ALL_EITHER", "ALL_SELF", "SGL_EITHER", "SGL_SELF", "DBL_EITHER", "DBL_SELF"}),
      live<State::interface_both, own::in_order_shift, 0, 3>("SI_IOQ_LIVE_REQ_LO"),
      live<State::interface_both, own::in_order_shift, 2, 3>("SI_IOQ_LIVE_REQ_HI"),
  };
  for (Event& event : list) {
    if (event.name == "SI_IOQ_LIVE_REQ_HI") event.most = 2;
  }
  add_live<own::request_shift>(list, {"SI_RQ_LIVE_REQ_LO_EITHER", "SI_RQ_LIVE_REQ_LO_SELF", "SI_RQ_LIVE_REQ_HI_EITHER",
                                      "SI_RQ_LIVE_REQ_HI_SELF"});
  add_live<own::write_shift>(list, {"SI_WRITEQ_LIVE_REQ_LO_EITHER", "SI_WRITEQ_LIVE_REQ_LO_SELF",
                                    "SI_WRITEQ_LIVE_REQ_HI_EITHER", "SI_WRITEQ_LIVE_REQ_HI_SELF"});
  add_live<own::clean_castout_shift>(list, {"SI_CCQ_LIVE_REQ_LO_EITHER", "SI_CCQ_LIVE_REQ_LO_SELF",
                                            "SI_CCQ_LIVE_REQ_HI_EITHER", "SI_CCQ_LIVE_REQ_HI_SELF"});
  add_live<own::snoop_coalescing_shift>(list, {"SI_SCB_LIVE_REQ_LO_EITHER", "SI_SCB_LIVE_REQ_LO_SELF",
                                               "SI_SCB_LIVE_REQ_HI_EITHER", "SI_SCB_LIVE_REQ_HI_SELF"});
  return list;
}

}  // namespace pmusim::oracle::montecito
