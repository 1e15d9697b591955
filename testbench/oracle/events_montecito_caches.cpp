// Montecito: the split second level and L3, where they differ from the Itanium 2.
#include <array>

#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::montecito {

namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::L3Cancel;
using activity::ia64::LinePhase;
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;
using namespace itanium2;  // NOLINT: the words that both tables use
namespace d = activity::detail;
namespace id = activity::ia64::detail;

// --- L2D ----------------------------------------------------------------------------------------------
// RECIRC, CANC_L2M_TO_L2C_ST, L2A_ST_MAT, L2M_ST_MAT, L2D_ST_MAT, L2C_ST_MAT, ACQ, REL, BANK_CONF, SEMA, OVER_SUB,
// OZQ_PREEMPT, WB_CONF, MISC_ORDER, FILL_ST_CONF, OZDATA_CONF
Classes queue_cancel(const EventSite& s) {
  constexpr std::pair<QueueStage, Classes> stages[] = {{QueueStage::l2a, places({2})},
                                                       {QueueStage::l2m, places({3})},
                                                       {QueueStage::l2d, places({4})},
                                                       {QueueStage::l2c, places({5})}};
  constexpr std::pair<QueueCancel, Classes> causes[] = {
      {QueueCancel::recirculating, places({0})},    {QueueCancel::still_missing, places({0})},
      {QueueCancel::store_order, places({1})},      {QueueCancel::acquire, places({6})},
      {QueueCancel::release, places({7})},          {QueueCancel::bank, places({8})},
      {QueueCancel::semaphore, places({9})},        {QueueCancel::no_attempt_left, places({10})},
      {QueueCancel::write_back_read, places({12})}, {QueueCancel::sync, places({13})},
      {QueueCancel::fence, places({13})},           {QueueCancel::compare_value, places({13})},
      {QueueCancel::uncacheable, places({13})},     {QueueCancel::fill, places({15})},
      {QueueCancel::return_port, places({15})}};
  const QueueCancel cause = cause_of(s);
  if (cause == QueueCancel::recirculating && s.any(activity::ia64::queue_cancel::first)) return places({11});
  if (cause == QueueCancel::fill && s.any(activity::ia64::queue_cancel::store)) return places({14});
  if (cause == QueueCancel::store_data) return listed(stages, stage_of(s));
  return listed(causes, cause);
}

// ANY (of the three that follow), LATE_SPEC_BYP, SIBLING_ACQ_REL, LATE_BYP_EFFRELEASE
Classes late_queue_cancel(const EventSite& s) {
  constexpr std::pair<QueueCancel, Classes> causes[] = {{QueueCancel::missed_bypass, places({0, 1})},
                                                        {QueueCancel::sibling_order, places({0, 2})},
                                                        {QueueCancel::bypass_of_release, places({0, 3})}};
  return listed(causes, cause_of(s), when(s.choices.any_queue_cancel, places({0})));
}

/// A line on its way: one that an instruction prefetch asked for has no unit mask but RECIRC.
Classes line_under_way(const EventSite& s) {
  namespace r = activity::ia64::recirculate;
  if (s.any(r::for_code_prefetch)) return places({0});
  if (s.any(r::prefetch)) return places({0, 3});
  const std::pair<LinePhase, Classes> phases[] = {
      {LinePhase::requested, places({0, 1})},
      {LinePhase::accepted, s.any(r::store) ? places({0, 12, 13}) : places({0, 11, 13})},
      {LinePhase::in_tags, places({0, 5})},
      {LinePhase::arrives, places({0, 6})}};
  return listed(phases, static_cast<LinePhase>(s.what.detail >> r::phase_shift & 3));
}

// RECIRC (any), LIMBO, TAG_NOTOK, TRAN_PREF, SNP_OR_L3, TAG_OK, FILL_HIT, FRC_RECIRC, SAME_INDEX, OZQ_MISS, L1W,
// SECONDARY_READ, SECONDARY_WRITE, SECONDARY_ALL
Classes forced_round(const EventSite& s) {
  constexpr std::pair<Recirculate, Classes> causes[] = {
      {Recirculate::tags_written, places({0, 2})},   {Recirculate::snoop, places({0, 4})},
      {Recirculate::no_fill_buffer, places({0, 7})}, {Recirculate::set_under_way, places({0, 8})},
      {Recirculate::miss, places({0, 9})},           {Recirculate::l1d_line_written, places({0, 10})}};
  const auto cause = static_cast<Recirculate>(s.what.detail & activity::ia64::recirculate::cause_mask);
  return cause == Recirculate::line_under_way ? line_under_way(s) : listed(causes, cause, places({0}));
}

// ANY, INV_L3_BYP, SPEC_L3_BYP, ER_REJECT, P2_COV_SNP_TEM, P2_COV_SNP_VIC, P2_COV_SNP_FILL_NOSNP, TAIL_TRANS_DIS
Classes l3_cancel(const EventSite& s) {
  constexpr std::pair<L3Cancel, Classes> reasons[] = {
      {L3Cancel::l3_busy, places({0, 1})},         {L3Cancel::l2_hit, places({0, 2})},
      {L3Cancel::bus_queue_full, places({0, 3})},  {L3Cancel::snoop_of_request, places({0, 4})},
      {L3Cancel::snoop_of_victim, places({0, 5})}, {L3Cancel::fill, places({0, 6})},
      {L3Cancel::write_back, places({0, 7})}};
  return listed(reasons, static_cast<L3Cancel>(s.what.detail & activity::ia64::l3_cancel_reason_mask), places({0}));
}

// M, E, S, I, P: a line that arrives before its state is known has none of the four.
Classes state_installed(const EventSite& s) {
  if (s.any(id::l2_fill_pending)) return places({4});
  constexpr std::pair<LineState, Classes> states[] = {{LineState::modified, places({0})},
                                                      {LineState::exclusive, places({1})},
                                                      {LineState::shared, places({2})},
                                                      {LineState::invalid, places({3})}};
  return listed(states, static_cast<LineState>(s.what.detail & 7));
}

// --- L2I ----------------------------------------------------------------------------------------------
// ALL_ALL, ALL_DMND, ALL_PFTCH, then the same three of hits and of misses
Classes by_result_and_kind(const EventSite& s) {
  const Classes kinds = places({0, s.any(d::access_prefetch) ? 2u : 1u});
  return kinds | kinds << (s.any(d::lookup_hit) ? 3 : 6);
}
Classes cacheable_read(const EventSite& s) { return when(!s.ia64_request().uncacheable, by_result_and_kind(s)); }
Classes uncacheable_read(const EventSite& s) { return when(s.ia64_request().uncacheable, by_result_and_kind(s)); }
template <std::uint16_t why>
Classes retried(const EventSite& s) {
  return when(s.any(why), by_result_and_kind(s));
}
Event of_l2i(std::string_view name, Signal signal, Classes (*rule)(const EventSite&)) {
  return occurring(
      name, 1, by_code, signal, rule,
      {"ALL_ALL", "ALL_DMND", "ALL_PFTCH", "HIT_ALL", "HIT_DMND", "HIT_PFTCH", "MISS_ALL", "MISS_DMND", "MISS_PFTCH"});
}

LineState installed(const EventSite& s) { return static_cast<LineState>(s.what.detail & 7); }

}  // namespace

std::vector<Event> cache_events() {
  return {
      occurring("L2D_INSERT_HITS", 4, by_all, Signal::l2_reference, where<d::lookup_hit>),
      occurring("L2D_INSERT_MISSES", 4, by_all, Signal::l2_reference, where<d::lookup_miss>),
      occurring(
          "L2D_OZQ_CANCELS0", 4, by_all, Signal::queue_cancel, queue_cancel,
          {"RECIRC", "CANC_L2M_TO_L2C_ST", "L2A_ST_MAT", "L2M_ST_MAT", "L2D_ST_MAT", "L2C_ST_MAT", "ACQ", "REL",
           "BANK_CONF", "SEMA", "OVER_SUB", "OZQ_PREEMPT", "WB_CONF", "MISC_ORDER", "FILL_ST_CONF", "OZDATA_CONF"}),
      occurring("L2D_OZQ_CANCELS1", 4, by_all, Signal::queue_cancel, late_queue_cancel,
                {"ANY", "LATE_SPEC_BYP", "SIBLING_ACQ_REL", "LATE_BYP_EFFRELEASE"}),
      occurring("L2D_FORCE_RECIRC", 4, by_all, Signal::force_recirculate, forced_round,
                {"RECIRC", "LIMBO", "TAG_NOTOK", "TRAN_PREF", "SNP_OR_L3", "TAG_OK", "FILL_HIT", "FRC_RECIRC",
                 "SAME_INDEX", "OZQ_MISS", "L1W", "SECONDARY_READ", "SECONDARY_WRITE", "SECONDARY_ALL"}),
      occurring("L2D_L3ACCESS_CANCEL", 1, by_all, Signal::l3_cancel, l3_cancel,
                {"ANY", "INV_L3_BYP", "SPEC_L3_BYP", "ER_REJECT", "P2_COV_SNP_TEM", "P2_COV_SNP_VIC",
                 "P2_COV_SNP_FILL_NOSNP", "TAIL_TRANS_DIS"}),
      occurring("L2D_FILL_MESI_STATE", 1, {}, Signal::l2_fill, state_installed, {"M", "E", "S", "I", "P"}),
      of_l2i("L2I_READS", Signal::l2i_lookup, cacheable_read),
      of_l2i("L2I_UC_READS", Signal::l2i_lookup, uncacheable_read),
      of_l2i("L2I_RECIRCULATES", Signal::l2i_retry, retried<id::retry_recirculated>),
      of_l2i("L2I_L3_REJECTS", Signal::l2i_retry, retried<id::retry_rejected>),
      of_l2i("L2I_HIT_CONFLICTS", Signal::l2i_retry, retried<id::retry_conflict>),
      occurring("L2I_VICTIMIZATION", 1, by_code, Signal::l2i_evict, each),
      occurring("L2I_SPEC_ABORTS", 1, by_code, Signal::l2i_abort, each),
      occurring("L2I_SNOOP_HITS", 1, {}, Signal::l2i_snoop_hit, each),
      {.name = "L3_INSERTS",
       .rules = {{Signal::l3_insert, each}},
       .most = 1,
       .filters = by_all,
       .line_state = installed},
  };
}

// Montecito: the system interface, its queues and its bus, where they differ from the Itanium 2.

namespace {

using activity::ia64::BusAgent;
using activity::ia64::BusKind;
using activity::ia64::InterfaceQueue;
namespace queues = activity::ia64::bus_queues;
namespace own = activity::ia64::interface_queues;
namespace clocks = activity::ia64::bus_clocks;
namespace reject = activity::ia64::request_reject;

// --- bus: ANY, IO, SELF, EITHER -------------------------------------------------------------------------
Classes read_invalidate_hits_modified(const EventSite& s) {
  const bool line = bus_kind(s) == BusKind::read_invalidate_line;
  return when(line && s.any(id::bus_answer_modified), by_agent(s));
}
LevelIncrement back_to_back(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::bus_clocks);
  const auto whose = static_cast<BusAgent>(now >> clocks::data_agent_shift & 3);
  return {when((now & clocks::back_to_back) != 0, places_of(whose)), 1};
}

// --- requests to the outside ------------------------------------------------------------------------------
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

/// Two levels have two increments, so unit masks are rows of their own.
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
      occurring("BUS_RD_INVAL_BST_HITM", 1, {}, Signal::bus_transaction, read_invalidate_hits_modified, agents),
      {.name = "BUS_B2B_DATA_CYCLES",
       .umasks = agents,
       .states = {State::bus_clocks},
       .increment = back_to_back,
       .step = 1},
      live<State::bus_queues, queues::snoops_shift, 3, 3>("ER_SNOOPQ_REQ_HI", 2),
      {.name = "ER_REJECT_ALL_L1_REQ",
       .states = {State::request_reject},
       .level = rejects<reject::instruction | reject::data>},
      {.name = "ER_REJECT_ALL_L1D_REQ", .states = {State::request_reject}, .level = rejects<reject::data>},
      {.name = "ER_REJECT_ALL_L1I_REQ", .states = {State::request_reject}, .level = rejects<reject::instruction>},
      {.name = "SI_CYCLES", .states = {State::bus_ratio}, .bus_clock = true},
      occurring("SI_RQ_INSERTS", 2, {}, Signal::interface_insert, entry<Queue::request>, cores),
      occurring("SI_CCQ_INSERTS", 2, {}, Signal::interface_insert, entry<Queue::clean_castout>, cores),
      occurring("SI_WRITEQ_INSERTS", 2, {}, Signal::interface_insert, entry_by_kind<Queue::write>,
                {"ALL_EITHER", "ALL_SELF", "IWB_EITHER", "IWB_SELF", "EWB_EITHER", "EWB_SELF", "WC1_8A_EITHER",
                 "WC1_8A_SELF", "WC16_EITHER", "WC16_SELF", "WC32_EITHER", "WC32_SELF", "NEWB_EITHER", "NEWB_SELF",
                 "WC1_8B_EITHER", "WC1_8B_SELF"}),
      occurring(
          "SI_SCB_INSERTS", 4, {}, Signal::interface_insert, entry_by_kind<Queue::snoop_coalescing>,
          {"ALL_EITHER", "ALL_SELF", "MISS_EITHER", "MISS_SELF", "HIT_EITHER", "HIT_SELF", "HITM_EITHER", "HITM_SELF"}),
      occurring("SI_SCB_SIGNOFFS", 1, {}, Signal::interface_signoff, signoff, {"ALL", "MISS", "HIT", "HITM"}),
      occurring("SI_WAQ_COLLISIONS", 1, {}, Signal::interface_collision, entry<Queue::write_address>, cores),
      occurring("SI_CCQ_COLLISIONS", 2, {}, Signal::interface_collision, entry<Queue::clean_castout>, cores),
      occurring("SI_IOQ_COLLISIONS", 2, {}, Signal::interface_collision, any_entry<Queue::in_order>),
      occurring("SI_WDQ_ECC_ERRORS", 2, {}, Signal::interface_ecc, ecc_error,
                {"ALL_EITHER", "ALL_SELF", "SGL_EITHER", "SGL_SELF", "DBL_EITHER", "DBL_SELF"}),
      live<State::interface_both, own::in_order_shift, 0, 3>("SI_IOQ_LIVE_REQ_LO"),
      live<State::interface_both, own::in_order_shift, 2, 3>("SI_IOQ_LIVE_REQ_HI", 2),
  };
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
