// Itanium 2: the ordered queue of the L2 and recirculating entries.
#include <array>

#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::FetchCancel;
using activity::ia64::L3Cancel;
using activity::ia64::QueueCancel;
using activity::ia64::Recirculate;
namespace d = activity::detail;
namespace id = activity::ia64::detail;
namespace queue = activity::ia64::l2_queue;

/// The position of a reason in a list that starts at `first`; other reasons do not count.
template <class Reason, unsigned before>
Classes in_list(const EventSite& s, Reason first, Reason last) {
  const unsigned reason = s.what.detail;
  const auto from = static_cast<unsigned>(first), to = static_cast<unsigned>(last);
  return reason < from || reason > to ? not_counted : Classes{1} << (reason - from + before);
}

// ANY: of the four reasons that follow
Classes queue_cancel_0(const EventSite& s) {
  const Classes own =
      in_list<QueueCancel, 1>(s, QueueCancel::late_speculative_bypass, QueueCancel::late_bypass_effective_release);
  return own | when(own != not_counted || s.choices.any_queue_cancel, places({0}));
}
Classes queue_cancel_1(const EventSite& s) {
  return in_list<QueueCancel, 0>(s, QueueCancel::release, QueueCancel::ecc);
}
Classes queue_cancel_2(const EventSite& s) {
  return in_list<QueueCancel, 0>(s, QueueCancel::recirculate_oversubscribed, QueueCancel::data_or_fetch);
}
Classes fetch_cancel(const EventSite& s) {
  return places({0}) | in_list<FetchCancel, 1>(s, FetchCancel::bypass, FetchCancel::fetch_bypass);
}
Classes forced_round(const EventSite& s) {
  return places({0}) | in_list<Recirculate, 1>(s, Recirculate::self_modifying_hit, Recirculate::forced);
}
// ANY, DFETCH, IFETCH, then why
Classes l3_cancel(const EventSite& s) {
  const unsigned reason = s.what.detail & activity::ia64::l3_cancel_reason_mask;
  return places({0}) | when(s.any(activity::ia64::l3_cancel_by_data), places({1})) |
         when(s.any(activity::ia64::l3_cancel_by_fetch), places({2})) |
         when(reason <= static_cast<unsigned>(L3Cancel::bus_reject), Classes{1} << (3 + reason));
}
// L2_DATA1, L2_DATA2, L2_INST1, L2_INST2, L3_DATA1, L3_INST1
Classes bypassed(const EventSite& s) {
  const unsigned late = s.any(id::bypass_late) ? 1 : 0;
  const bool instruction = s.any(id::bypass_instruction);
  if (!s.any(id::bypass_l3)) return places({(instruction ? 2 : 0) + late});
  return when(late == 0, places({instruction ? 5u : 4u}));
}
Classes by_operation(const EventSite& s) { return Classes{1} << s.what.detail; }

template <std::uint64_t bit>
Event level(std::string_view name) {
  return {.name = name, .states = {State::l2_queue}, .level = holds<State::l2_queue, bit>};
}
Event of_queue(std::string_view name, std::uint32_t most, Signal signal, Classes (*rule)(const EventSite&),
               std::vector<std::string_view> umasks = {}) {
  return {.name = name, .umasks = std::move(umasks), .rules = {{signal, rule}}, .most = most, .honours = honours_all};
}

}  // namespace

std::vector<Event> l2_queue_events() {
  return {
      of_queue("L2_OZQ_CANCELS0", 4, Signal::queue_cancel, queue_cancel_0,
               {"ANY", "LATE_SPEC_BYP", "LATE_RELEASE", "LATE_ACQUIRE", "LATE_BYP_EFFRELEASE"}),
      of_queue("L2_OZQ_CANCELS1", 4, Signal::queue_cancel, queue_cancel_1,
               {"REL", "BANK_CONF", "L2D_ST_MAT", "SYNC", "HPW_IFETCH_CONF", "CANC_L2M_ST", "L1_FILL_CONF",
                "ST_FILL_CONF", "CCV", "SEM", "L2M_ST_MAT", "MFA", "L2A_ST_MAT", "L1DF_L2M", "ECC"}),
      of_queue("L2_OZQ_CANCELS2", 4, Signal::queue_cancel, queue_cancel_2,
               {"RECIRC_OVER_SUB", "CANC_L2C_ST", "L2C_ST_MAT", "SCRUB", "ACQ", "READ_WB_CONF", "OZ_DATA_CONF",
                "L2FILL_ST_CONF", "DIDNT_RECIRC", "WEIRD", "OVER_SUB", "CANC_L2D_ST", "D_IFET"}),
      of_queue("L2_IFET_CANCELS", 1, Signal::fetch_cancel, fetch_cancel,
               {"ANY", "BYPASS", "DIDNT_RECIR", "RECIR_OVER_SUB", "ST_FILL_WB", "DATA_RD", "PREEMPT", "CHG_PRIO",
                "IFETCH_BYP"}),
      of_queue("L2_FORCE_RECIRC", 4, Signal::force_recirculate, forced_round,
               {"ANY", "SMC_HIT", "L1W", "TAG_NOTOK", "TRAN_PREF", "SNP_OR_L3", "VIC_PEND", "FILL_HIT", "IPF_MISS",
                "VIC_BUF_FULL", "OZQ_MISS", "SAME_INDEX", "FRC_RECIRC"}),
      of_queue("L2_L3ACCESS_CANCEL", 1, Signal::l3_cancel, l3_cancel,
               {"ANY", "DFETCH", "IFETCH", "SPEC_L3_BYP", "FILLD_FULL", "UC_BLOCKED", "INV_L3_BYP", "EBL_REJECT"}),
      of_queue("L2_BYPASS", 1, Signal::bypass, bypassed,
               {"L2_DATA1", "L2_DATA2", "L2_INST1", "L2_INST2", "L3_DATA1", "L3_INST1"}),
      of_queue("L2_OPS_ISSUED", 4, Signal::queue_issue, by_operation,
               {"INT_LOAD", "FP_LOAD", "RMW", "STORE", "NST_NLD"}),
      of_queue("L2_ISSUED_RECIRC_IFETCH_ANY", 1, Signal::recirculate_try, where<d::side_data, 0>),
      of_queue("L2_ISSUED_RECIRC_OZQ_ACC", 1, Signal::recirculate_try, where<d::side_data>),
      of_queue("L2_GOT_RECIRC_IFETCH_ANY", 1, Signal::recirculate_done, where<d::side_data, 0>),
      of_queue("L2_GOT_RECIRC_OZQ_ACC", 1, Signal::recirculate_done, where<d::side_data>),
      of_queue("L2_BAD_LINES_SELECTED_ANY", 4, Signal::l2_valid_victim, each),
      of_queue("L2_STORE_HIT_SHARED_ANY", 2, Signal::l2_store_shared, each),
      of_queue("L2_SYNTH_PROBE", 1, Signal::l2_probe, each),
      level<queue::full>("L2_OZQ_FULL_THIS"),
      level<queue::data_full>("L2_OZDB_FULL_THIS"),
      level<queue::victims_full>("L2_VICTIMB_FULL_THIS"),
      level<queue::fills_full>("L2_FILLB_FULL_THIS"),
      level<queue::has_acquire>("L2_OZQ_ACQUIRE"),
      level<queue::has_release>("L2_OZQ_RELEASE"),
  };
}

}  // namespace pmusim::oracle::itanium2
