// Itanium 2: the system bus, its queues and its snoops, and external pins.
#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::BusAgent;
using activity::ia64::BusKind;
namespace id = activity::ia64::detail;
namespace queues = activity::ia64::bus_queues;
namespace clocks = activity::ia64::bus_clocks;

bool is_read(const EventSite& s) {
  const BusKind k = bus_kind(s);
  return k == BusKind::read_line || k == BusKind::read_invalidate_line || k == BusKind::read_current ||
         k == BusKind::read_partial;
}
bool goes_to_memory(const EventSite& s) {
  return is_read(s) || bus_kind(s) == BusKind::invalidate_line || bus_kind(s) == BusKind::write_line ||
         bus_kind(s) == BusKind::write_partial;
}

// --- by agent -----------------------------------------------------------------------------------------
constexpr Classes self_place = places({2});
// ANY, IO, SELF
Classes three(const EventSite& s) { return by_agent(s) & places({0, 1, 2}); }
// ANY, SELF
Classes any_or_self(const EventSite& s) { return places({0}) | when((by_agent(s) & self_place) != 0, places({1})); }
// ANY, IO
Classes any_or_io(const EventSite& s) { return by_agent(s) & places({0, 1}); }

Classes current_read(const EventSite& s) { return when(bus_kind(s) == BusKind::read_current, any_or_io(s)); }
Classes data_read(const EventSite& s) { return when(is_read(s) && s.any(id::bus_for_data), by_agent(s)); }
Classes partial_read(const EventSite& s) { return when(bus_kind(s) == BusKind::read_partial, by_agent(s)); }
Classes port_read(const EventSite& s) { return when(bus_kind(s) == BusKind::io_read, by_agent(s)); }
Classes port_access(const EventSite& s) {
  return when(bus_kind(s) == BusKind::io_read || bus_kind(s) == BusKind::io_write, by_agent(s));
}
Classes locked(const EventSite& s) { return when(bus_kind(s) == BusKind::lock, any_or_self(s)); }

// ALL, EQ_128BYTE, LT_128BYTE, each by agent
Classes memory_transaction(const EventSite& s) {
  const Classes by = by_agent(s);
  return when(goes_to_memory(s), by | by << (s.any(id::bus_full_line) ? 4 : 8));
}
// ALL, BIL, BRIL, BRL, each by agent
Classes line_read(const EventSite& s) {
  const Classes by = by_agent(s);
  const std::pair<BusKind, Classes> kinds[] = {{BusKind::invalidate_line, by | by << 4},
                                               {BusKind::read_invalidate_line, by | by << 8},
                                               {BusKind::read_line, by | by << 12}};
  return listed(kinds, bus_kind(s));
}
// ALL_ANY, ALL_IO, ALL_SELF, CCASTOUT_ANY, CCASTOUT_SELF, EQ_128BYTE_ANY, EQ_128BYTE_IO, EQ_128BYTE_SELF
Classes write_back(const EventSite& s) {
  if (bus_kind(s) != BusKind::write_line) return not_counted;
  const Classes by = three(s);
  if (s.any(id::bus_clean_castout)) return by | any_or_self(s) << 3;
  return by | when(s.any(id::bus_full_line), by << 5);
}

// --- answers of other caches, by agent; events without unit masks count for any
// ---------------------------------------------------------------------------
bool answered_read(const EventSite& s) {
  return s.choices.line_reads_only ? bus_kind(s) == BusKind::read_line : is_read(s);
}
Classes read_hits_clean(const EventSite& s) { return when(answered_read(s) && s.any(id::bus_answer_hit), by_agent(s)); }
Classes read_hits_modified(const EventSite& s) {
  return when(answered_read(s) && s.any(id::bus_answer_modified), by_agent(s));
}
Classes hits_modified(const EventSite& s) { return when(s.any(id::bus_answer_modified), by_agent(s)); }
Classes invalidate_hits_modified(const EventSite& s) {
  return when(bus_kind(s) == BusKind::invalidate_line && s.any(id::bus_answer_modified), by_agent(s));
}
Classes any_invalidate_hits_modified(const EventSite& s) {
  const bool invalidates = bus_kind(s) == BusKind::invalidate_line || bus_kind(s) == BusKind::read_invalidate_line;
  return when(invalidates && s.any(id::bus_answer_modified));
}

// --- snoops ---------------------------------------------------------------------------------------------
Classes snoop_hits_modified(const EventSite& s) { return when(s.any(id::snoop_found_modified), any_or_self(s)); }
// ANY, SELF, EITHER
LevelIncrement snoop_stall(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::bus_clocks);
  const bool self = (now & clocks::snoop_stall_self) != 0, other = (now & clocks::snoop_stall_other) != 0;
  const bool sibling = other && static_cast<BusAgent>(now >> clocks::stall_agent_shift & 3) == BusAgent::other_core;
  return {when(self || other, places({0})) | when(self, places({1})) | when(self || sibling, places({2})), 1};
}
LevelIncrement data_cycle(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::bus_clocks);
  const auto whose = static_cast<BusAgent>(now >> clocks::data_agent_shift & 3);
  return {when((now & clocks::data) != 0, places_of(whose)), 1};
}

// --- pins: every combination of the pins in turn, the place of a combination is its number less one ----------
template <unsigned first, unsigned pins>
Classes asserted(const EventSite& s) {
  const unsigned pin = s.what.detail;
  if (pin < first || pin >= first + pins) return not_counted;
  Classes classes = not_counted;
  for (unsigned combination = 1; combination < 1u << pins; ++combination) {
    if ((combination >> (pin - first) & 1u) != 0) classes |= Classes{1} << (combination - 1);
  }
  return classes;
}

Event of_bus(std::string_view name, Classes (*rule)(const EventSite&), std::vector<std::string_view> umasks = {}) {
  return occurring(name, 1, {}, Signal::bus_transaction, rule, std::move(umasks));
}

}  // namespace

std::vector<Event> bus_events() {
  const std::vector<std::string_view> agents = {"ANY", "IO", "SELF"}, any_self = {"ANY", "SELF"};
  return {
      of_bus("BUS_ALL", by_agent, agents),
      of_bus("BUS_MEMORY", memory_transaction,
             {"ALL_ANY", "ALL_IO", "ALL_SELF", "", "EQ_128BYTE_ANY", "EQ_128BYTE_IO", "EQ_128BYTE_SELF", "",
              "LT_128BYTE_ANY", "LT_128BYTE_IO", "LT_128BYTE_SELF"}),
      of_bus("BUS_MEM_READ", line_read,
             {"ALL_ANY", "ALL_IO", "ALL_SELF", "", "BIL_ANY", "BIL_IO", "BIL_SELF", "", "BRIL_ANY", "BRIL_IO",
              "BRIL_SELF", "", "BRL_ANY", "BRL_IO", "BRL_SELF"}),
      of_bus("BUS_WR_WB", write_back,
             {"ALL_ANY", "ALL_IO", "ALL_SELF", "CCASTOUT_ANY", "CCASTOUT_SELF", "EQ_128BYTE_ANY", "EQ_128BYTE_IO",
              "EQ_128BYTE_SELF"}),
      of_bus("BUS_RD_DATA", data_read, agents),
      of_bus("BUS_RD_PRTL", partial_read, agents),
      of_bus("BUS_RD_IO", port_read, agents),
      of_bus("BUS_IO", port_access, agents),
      of_bus("BUS_LOCK", locked, any_self),
      of_bus("MEM_READ_CURRENT", current_read, {"ANY", "IO"}),
      of_bus("BUS_RD_HIT", read_hits_clean),
      of_bus("BUS_RD_HITM", read_hits_modified),
      of_bus("BUS_RD_INVAL_HITM", invalidate_hits_modified),
      of_bus("BUS_RD_INVAL_ALL_HITM", any_invalidate_hits_modified),
      of_bus("BUS_HITM", hits_modified),
      occurring("BUS_SNOOPS", 1, {}, Signal::bus_snoop, by_agent, agents),
      occurring("BUS_SNOOPS_HITM", 1, {}, Signal::bus_snoop, snoop_hits_modified, any_self),
      occurring("BUS_BACKSNP_REQ_THIS", 1, {}, Signal::bus_snoop, where<id::snoop_self>),
      {.name = "BUS_SNOOP_STALL_CYCLES",
       .umasks = any_self,
       .states = {State::bus_clocks},
       .increment = snoop_stall,
       .step = 1},
      {.name = "BUS_DATA_CYCLE", .states = {State::bus_clocks}, .increment = data_cycle, .step = 1},
      occurring("BUS_BRQ_REQ_INSERTED", 1, {}, Signal::bus_queue_insert, each),
      live<State::bus_queues, queues::memory_reads_shift, 3, 3>("BUS_MEM_READ_OUT_HI", 2),
      live<State::bus_queues, queues::memory_reads_shift, 0, 7>("BUS_MEM_READ_OUT_LO"),
      live<State::bus_queues, queues::snoops_shift, 0, 7>("BUS_SNOOPQ_REQ"),
      live<State::bus_queues, queues::in_order_shift, 0, 3>("BUS_IOQ_LIVE_REQ_LO"),
      live<State::bus_queues, queues::in_order_shift, 2, 3>("BUS_IOQ_LIVE_REQ_HI", 2),
      live<State::bus_queues, queues::deferred_shift, 0, 7>("BUS_OOQ_LIVE_REQ_LO"),
      live<State::bus_queues, queues::deferred_shift, 3, 3>("BUS_OOQ_LIVE_REQ_HI", 2),
      live<State::bus_queues, queues::requests_shift, 0, 7>("BUS_BRQ_LIVE_REQ_LO"),
      live<State::bus_queues, queues::requests_shift, 3, 3>("BUS_BRQ_LIVE_REQ_HI", 2),
      occurring("EXTERN_DP_PINS_0_TO_3", 1, {}, Signal::pin_assert, asserted<0, 4>,
                {"PIN0", "PIN1", "PIN0_OR_PIN1", "PIN2", "PIN0_OR_PIN2", "PIN1_OR_PIN2", "PIN0_OR_PIN1_OR_PIN2", "PIN3",
                 "PIN0_OR_PIN3", "PIN1_OR_PIN3", "PIN0_OR_PIN1_OR_PIN3", "PIN2_OR_PIN3", "PIN0_OR_PIN2_OR_PIN3",
                 "PIN1_OR_PIN2_OR_PIN3", "ALL"}),
      occurring("EXTERN_DP_PINS_4_TO_5", 1, {}, Signal::pin_assert, asserted<4, 2>, {"PIN4", "PIN5", "ALL"}),
  };
}

}  // namespace pmusim::oracle::itanium2
