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
using itanium2::places;
using itanium2::when;
namespace d = activity::detail;
namespace id = activity::ia64::detail;

// --- L2D ----------------------------------------------------------------------------------------------
// L2A_ST_MAT, L2M_ST_MAT, L2D_ST_MAT, L2C_ST_MAT
Classes by_stage(const EventSite& s) {
  switch (itanium2::stage_of(s)) {
    case QueueStage::l2a:
      return places({2});
    case QueueStage::l2m:
      return places({3});
    case QueueStage::l2d:
      return places({4});
    case QueueStage::l2c:
      break;
  }
  return places({5});
}

// RECIRC, CANC_L2M_TO_L2C_ST, L2A_ST_MAT, L2M_ST_MAT, L2D_ST_MAT, L2C_ST_MAT, ACQ, REL, BANK_CONF, SEMA, OVER_SUB,
// OZQ_PREEMPT, WB_CONF, MISC_ORDER, FILL_ST_CONF, OZDATA_CONF
Classes queue_cancel(const EventSite& s) {
  const bool first = s.any(activity::ia64::queue_cancel::first);
  switch (itanium2::cause_of(s)) {
    case QueueCancel::recirculating:
      return first ? places({11}) : places({0});
    case QueueCancel::still_missing:
      return places({0});
    case QueueCancel::store_order:
      return places({1});
    case QueueCancel::store_data:
      return by_stage(s);
    case QueueCancel::acquire:
      return places({6});
    case QueueCancel::release:
      return places({7});
    case QueueCancel::bank:
      return places({8});
    case QueueCancel::semaphore:
      return places({9});
    case QueueCancel::no_attempt_left:
      return places({10});
    case QueueCancel::write_back_read:
      return places({12});
    case QueueCancel::sync:
    case QueueCancel::fence:
    case QueueCancel::compare_value:
    case QueueCancel::uncacheable:
      return places({13});
    case QueueCancel::fill:
      return s.any(activity::ia64::queue_cancel::store) ? places({14}) : places({15});
    case QueueCancel::return_port:
      return places({15});
    case QueueCancel::missed_bypass:
    case QueueCancel::bypass_of_release:
    case QueueCancel::sibling_order:
    case QueueCancel::l1d_fill:
    case QueueCancel::l2_error:
    case QueueCancel::system_error:
    case QueueCancel::fetch:
      break;
  }
  return not_counted;
}

// ANY (of the three that follow), LATE_SPEC_BYP, SIBLING_ACQ_REL, LATE_BYP_EFFRELEASE
Classes late_queue_cancel(const EventSite& s) {
  switch (itanium2::cause_of(s)) {
    case QueueCancel::missed_bypass:
      return places({0, 1});
    case QueueCancel::sibling_order:
      return places({0, 2});
    case QueueCancel::bypass_of_release:
      return places({0, 3});
    default:
      return when(s.choices.any_queue_cancel, places({0}));
  }
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
  switch (static_cast<Recirculate>(s.what.detail & activity::ia64::recirculate::cause_mask)) {
    case Recirculate::line_under_way:
      return line_under_way(s);
    case Recirculate::tags_written:
      return places({0, 2});
    case Recirculate::snoop:
      return places({0, 4});
    case Recirculate::no_fill_buffer:
      return places({0, 7});
    case Recirculate::set_under_way:
      return places({0, 8});
    case Recirculate::miss:
      return places({0, 9});
    case Recirculate::l1d_line_written:
      return places({0, 10});
    case Recirculate::self_modifying:
    case Recirculate::write_back:
    case Recirculate::no_victim_buffer:
      break;
  }
  return places({0});
}

// ANY, INV_L3_BYP, SPEC_L3_BYP, ER_REJECT, P2_COV_SNP_TEM, P2_COV_SNP_VIC, P2_COV_SNP_FILL_NOSNP, TAIL_TRANS_DIS
Classes l3_cancel(const EventSite& s) {
  switch (static_cast<L3Cancel>(s.what.detail & activity::ia64::l3_cancel_reason_mask)) {
    case L3Cancel::l3_busy:
      return places({0, 1});
    case L3Cancel::l2_hit:
      return places({0, 2});
    case L3Cancel::bus_queue_full:
      return places({0, 3});
    case L3Cancel::snoop_of_request:
      return places({0, 4});
    case L3Cancel::snoop_of_victim:
      return places({0, 5});
    case L3Cancel::fill:
      return places({0, 6});
    case L3Cancel::write_back:
      return places({0, 7});
    case L3Cancel::no_fill_buffer:
    case L3Cancel::uncacheable_in_flight:
      break;
  }
  return places({0});
}

// M, E, S, I, P: a line that arrives before its state is known has none of the four.
Classes state_installed(const EventSite& s) {
  if (s.any(id::l2_fill_pending)) return places({4});
  switch (static_cast<LineState>(s.what.detail & 7)) {
    case LineState::modified:
      return places({0});
    case LineState::exclusive:
      return places({1});
    case LineState::shared:
      return places({2});
    case LineState::invalid:
      return places({3});
    case LineState::owned:
      break;
  }
  return not_counted;
}

Event of_l2d(std::string_view name, std::uint32_t most, Signal signal, Classes (*rule)(const EventSite&),
             std::vector<std::string_view> umasks = {}) {
  return {.name = name,
          .umasks = std::move(umasks),
          .rules = {{signal, rule}},
          .most = most,
          .honours = itanium2::honours_all};
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
          .honours = itanium2::honours_code};
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
      {.name = "L2I_VICTIMIZATION", .rules = {{Signal::l2i_evict, each}}, .most = 1, .honours = itanium2::honours_code},
      {.name = "L2I_SPEC_ABORTS", .rules = {{Signal::l2i_abort, each}}, .most = 1, .honours = itanium2::honours_code},
      {.name = "L2I_SNOOP_HITS", .rules = {{Signal::l2i_snoop_hit, each}}, .most = 1},
      {.name = "L3_INSERTS",
       .rules = {{Signal::l3_insert, each}},
       .most = 1,
       .honours = itanium2::honours_all,
       .line_state = installed},
  };
}

}  // namespace pmusim::oracle::montecito
