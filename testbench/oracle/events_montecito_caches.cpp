// Montecito: the split second level and L3, where they differ from the Itanium 2.
#include "testbench/oracle/events_montecito.h"

namespace pmusim::oracle::montecito {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::L3Cancel;
using activity::ia64::LinePhase;
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;
using itanium2::listed;
using itanium2::places;
using itanium2::when;
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
  const QueueCancel cause = itanium2::cause_of(s);
  if (cause == QueueCancel::recirculating && s.any(activity::ia64::queue_cancel::first)) return places({11});
  if (cause == QueueCancel::fill && s.any(activity::ia64::queue_cancel::store)) return places({14});
  if (cause == QueueCancel::store_data) return listed(stages, itanium2::stage_of(s));
  return listed(causes, cause);
}

// ANY (of the three that follow), LATE_SPEC_BYP, SIBLING_ACQ_REL, LATE_BYP_EFFRELEASE
Classes late_queue_cancel(const EventSite& s) {
  constexpr std::pair<QueueCancel, Classes> causes[] = {{QueueCancel::missed_bypass, places({0, 1})},
                                                        {QueueCancel::sibling_order, places({0, 2})},
                                                        {QueueCancel::bypass_of_release, places({0, 3})}};
  return listed(causes, itanium2::cause_of(s), when(s.choices.any_queue_cancel, places({0})));
}

/// A line on its way: one that an instruction prefetch asked for has no unit mask but RECIRC.
Classes line_under_way(const EventSite& s) {
  namespace r = activity::ia64::recirculate;
  if (s.any(r::for_code_prefetch)) return places({0});
  if (s.any(r::prefetch)) return places({0, 3});
  switch (static_cast<LinePhase>(s.what.detail >> r::phase_shift & 3)) {
    case LinePhase::requested:
      return places({0, 1});
    case LinePhase::accepted:
      return s.any(r::store) ? places({0, 12, 13}) : places({0, 11, 13});
    case LinePhase::in_tags:
      return places({0, 5});
    case LinePhase::arrives:
      break;
  }
  return places({0, 6});
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

Event of_l2d(std::string_view name, std::uint32_t most, Signal signal, Classes (*rule)(const EventSite&),
             std::vector<std::string_view> umasks = {}) {
  return {
      .name = name, .umasks = std::move(umasks), .rules = {{signal, rule}}, .most = most, .filters = itanium2::by_all};
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
  return {.name = name,
          .umasks = {"ALL_ALL", "ALL_DMND", "ALL_PFTCH", "HIT_ALL", "HIT_DMND", "HIT_PFTCH", "MISS_ALL", "MISS_DMND",
                     "MISS_PFTCH"},
          .rules = {{signal, rule}},
          .most = 1,
          .filters = itanium2::by_code};
}

LineState installed(const EventSite& s) { return static_cast<LineState>(s.what.detail & 7); }

}  // namespace

std::vector<Event> cache_events() {
  return {
      of_l2d("L2D_INSERT_HITS", 4, Signal::l2_reference, where<d::lookup_hit>),
      of_l2d("L2D_INSERT_MISSES", 4, Signal::l2_reference, where<d::lookup_miss>),
      of_l2d("L2D_OZQ_CANCELS0", 4, Signal::queue_cancel, queue_cancel,
             {"RECIRC", "CANC_L2M_TO_L2C_ST", "L2A_ST_MAT", "L2M_ST_MAT", "L2D_ST_MAT", "L2C_ST_MAT", "ACQ", "REL",
              "BANK_CONF", "SEMA", "OVER_SUB", "OZQ_PREEMPT", "WB_CONF", "MISC_ORDER", "FILL_ST_CONF", "OZDATA_CONF"}),
      of_l2d("L2D_OZQ_CANCELS1", 4, Signal::queue_cancel, late_queue_cancel,
             {"ANY", "LATE_SPEC_BYP", "SIBLING_ACQ_REL", "LATE_BYP_EFFRELEASE"}),
      of_l2d("L2D_FORCE_RECIRC", 4, Signal::force_recirculate, forced_round,
             {"RECIRC", "LIMBO", "TAG_NOTOK", "TRAN_PREF", "SNP_OR_L3", "TAG_OK", "FILL_HIT", "FRC_RECIRC",
              "SAME_INDEX", "OZQ_MISS", "L1W", "SECONDARY_READ", "SECONDARY_WRITE", "SECONDARY_ALL"}),
      of_l2d("L2D_L3ACCESS_CANCEL", 1, Signal::l3_cancel, l3_cancel,
             {"ANY", "INV_L3_BYP", "SPEC_L3_BYP", "ER_REJECT", "P2_COV_SNP_TEM", "P2_COV_SNP_VIC",
              "P2_COV_SNP_FILL_NOSNP", "TAIL_TRANS_DIS"}),
      {.name = "L2D_FILL_MESI_STATE",
       .umasks = {"M", "E", "S", "I", "P"},
       .rules = {{Signal::l2_fill, state_installed}},
       .most = 1},
      of_l2i("L2I_READS", Signal::l2i_lookup, cacheable_read),
      of_l2i("L2I_UC_READS", Signal::l2i_lookup, uncacheable_read),
      of_l2i("L2I_RECIRCULATES", Signal::l2i_retry, retried<id::retry_recirculated>),
      of_l2i("L2I_L3_REJECTS", Signal::l2i_retry, retried<id::retry_rejected>),
      of_l2i("L2I_HIT_CONFLICTS", Signal::l2i_retry, retried<id::retry_conflict>),
      {.name = "L2I_VICTIMIZATION", .rules = {{Signal::l2i_evict, each}}, .most = 1, .filters = itanium2::by_code},
      {.name = "L2I_SPEC_ABORTS", .rules = {{Signal::l2i_abort, each}}, .most = 1, .filters = itanium2::by_code},
      {.name = "L2I_SNOOP_HITS", .rules = {{Signal::l2i_snoop_hit, each}}, .most = 1},
      {.name = "L3_INSERTS",
       .rules = {{Signal::l3_insert, each}},
       .most = 1,
       .filters = itanium2::by_all,
       .line_state = installed},
  };
}

}  // namespace pmusim::oracle::montecito
