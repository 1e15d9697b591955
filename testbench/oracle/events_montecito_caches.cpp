// Montecito: the split second level and L3, where they differ from the Itanium 2.
#include "testbench/oracle/events_montecito.h"

namespace pmusim::oracle::montecito {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::L3Cancel;
using activity::ia64::QueueCancel;
using activity::ia64::Recirculate;
using itanium2::places;
using itanium2::when;
namespace d = activity::detail;
namespace id = activity::ia64::detail;

// --- L2D ----------------------------------------------------------------------------------------------
// RECIRC, CANC_L2M_TO_L2C_ST, L2A_ST_MAT, L2M_ST_MAT, L2D_ST_MAT, L2C_ST_MAT, ACQ, REL, BANK_CONF, SEMA, OVER_SUB,
// OZQ_PREEMPT, WB_CONF, MISC_ORDER, FILL_ST_CONF, OZDATA_CONF
Classes queue_cancel(const EventSite& s) {
  switch (static_cast<QueueCancel>(s.what.detail)) {
    case QueueCancel::recirculate_oversubscribed:
    case QueueCancel::did_not_recirculate:
      return places({0});
    case QueueCancel::l2m_to_l2c_store:
      return places({1});
    case QueueCancel::l2a_store_match:
      return places({2});
    case QueueCancel::l2m_store_match:
      return places({3});
    case QueueCancel::l2d_store_match:
      return places({4});
    case QueueCancel::l2c_store_match:
      return places({5});
    case QueueCancel::acquire:
      return places({6});
    case QueueCancel::release:
      return places({7});
    case QueueCancel::bank_conflict:
      return places({8});
    case QueueCancel::semaphore:
      return places({9});
    case QueueCancel::oversubscribed:
      return places({10});
    case QueueCancel::preempted:
      return places({11});
    case QueueCancel::read_write_back_conflict:
      return places({12});
    case QueueCancel::other_order:
      return places({13});
    case QueueCancel::l2_fill_store_conflict:
    case QueueCancel::store_fill_conflict:
      return places({14});
    case QueueCancel::data_conflict:
      return places({15});
    default:
      return not_counted;
  }
}

// ANY (of the three that follow), LATE_SPEC_BYP, SIBLING_ACQ_REL, LATE_BYP_EFFRELEASE
Classes late_queue_cancel(const EventSite& s) {
  switch (static_cast<QueueCancel>(s.what.detail)) {
    case QueueCancel::late_speculative_bypass:
      return places({0, 1});
    case QueueCancel::sibling_order:
      return places({0, 2});
    case QueueCancel::late_bypass_effective_release:
      return places({0, 3});
    default:
      return when(s.choices.any_queue_cancel, places({0}));
  }
}

// RECIRC (any), LIMBO, TAG_NOTOK, TRAN_PREF, SNP_OR_L3, TAG_OK, FILL_HIT, FRC_RECIRC, SAME_INDEX, OZQ_MISS, L1W,
// SECONDARY_READ, SECONDARY_WRITE, SECONDARY_ALL
Classes forced_round(const EventSite& s) {
  switch (static_cast<Recirculate>(s.what.detail)) {
    case Recirculate::limbo:
      return places({0, 1});
    case Recirculate::tag_not_ok:
      return places({0, 2});
    case Recirculate::transaction_prefetch:
      return places({0, 3});
    case Recirculate::snoop_or_l3:
      return places({0, 4});
    case Recirculate::tag_ok:
      return places({0, 5});
    case Recirculate::fill_hit:
      return places({0, 6});
    case Recirculate::forced:
      return places({0, 7});
    case Recirculate::same_index:
      return places({0, 8});
    case Recirculate::queue_miss:
      return places({0, 9});
    case Recirculate::l1_write:
      return places({0, 10});
    case Recirculate::secondary_read:
      return places({0, 11, 13});
    case Recirculate::secondary_write:
      return places({0, 12, 13});
    default:
      return places({0});
  }
}

// ANY, INV_L3_BYP, SPEC_L3_BYP, ER_REJECT, P2_COV_SNP_TEM, P2_COV_SNP_VIC, P2_COV_SNP_FILL_NOSNP, TAIL_TRANS_DIS
Classes l3_cancel(const EventSite& s) {
  switch (static_cast<L3Cancel>(s.what.detail & activity::ia64::l3_cancel_reason_mask)) {
    case L3Cancel::invalid_bypass:
      return places({0, 1});
    case L3Cancel::speculative_bypass:
      return places({0, 2});
    case L3Cancel::bus_reject:
      return places({0, 3});
    case L3Cancel::snoop_of_request:
      return places({0, 4});
    case L3Cancel::snoop_of_victim:
      return places({0, 5});
    case L3Cancel::fill_without_snoop:
      return places({0, 6});
    case L3Cancel::tail_disabled:
      return places({0, 7});
    default:
      return places({0});
  }
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
