// Itanium 2: data references, the translations they need, and the caches behind L1.
#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {

namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::Requester;
namespace d = activity::detail;
namespace id = activity::ia64::detail;

bool replayed(const EventSite& s) { return s.any(id::access_replayed); }
bool missed_all_levels(const EventSite& s) { return s.any(d::side_data) && s.any(d::tlb_walk | id::tlb_fault); }

// --- first level ------------------------------------------------------------------------------------
Classes read_pass(const EventSite& s) { return when(s.ia64_request().l1d_read); }
Classes read(const EventSite& s) { return when(s.ia64_request().l1d_read && !replayed(s)); }
// ALL, RSE_FILL
Classes read_miss(const EventSite& s) {
  const bool left_out = replayed(s) && !s.choices.replayed_misses;
  if (!s.ia64_request().l1d_read || left_out || s.any(d::lookup_hit)) return not_counted;
  return s.ia64_request().requester == Requester::register_stack ? places({0, 1}) : places({0});
}
bool walks(const EventSite& s) { return s.ia64_request().requester == Requester::page_walker; }
Classes reference_pass(const EventSite& s) {
  return when(!walks(s) && (!s.ia64_request().prefetch || s.choices.lfetch_is_reference));
}
Classes reference(const EventSite& s) { return replayed(s) ? not_counted : reference_pass(s); }

// --- translations -------------------------------------------------------------------------------------
Classes transfer_from_second_level(const EventSite& s) {
  return when(s.has(d::side_data | d::tlb_second_level_hit) && !missed_all_levels(s) && s.ia64_request().l1d_read);
}
Classes miss_of_second_level(const EventSite& s) { return when(missed_all_levels(s)); }
Classes insert_of_retired(const EventSite& s) { return when(s.ia64_request().walker_inserted); }

// --- L2 -----------------------------------------------------------------------------------------------
bool of_data(const EventSite& s) {
  const Requester r = s.ia64_request().requester;
  return r == Requester::data || r == Requester::register_stack || r == Requester::page_walker;
}
// DATA_READS, DATA_WRITES, ALL: a semaphore is both a read and a write; fc and fences are neither.
Classes l2_read(const EventSite& s) {
  return when(of_data(s) && (s.ia64_request().load || s.ia64_request().prefetch), places({0, 2}));
}
Classes l2_write(const EventSite& s) { return when(of_data(s) && s.ia64_request().store, places({1, 2})); }
Classes line_absent(const EventSite& s) { return when(s.any(d::lookup_miss) && !s.any(d::access_writeback)); }

// --- L3: ALL_ALL, ALL_HIT, ALL_MISS, then the same three of each kind ----------------------------------
Classes by_result(const EventSite& s) { return s.any(d::lookup_hit) ? places({0, 1}) : places({0, 2}); }
bool fetched(const EventSite& s) { return !s.any(d::side_data); }
// ALL, DATA_READ, DINST_FETCH (demand), INST_FETCH
Classes l3_read(const EventSite& s) {
  const Classes result = by_result(s);
  if (s.any(d::access_writeback)) return not_counted;
  if (fetched(s)) return result | result << 9 | (s.any(d::access_prefetch) ? 0 : result << 6);
  return s.any(id::l3_for_ownership) ? not_counted : result | result << 3;
}
// ALL, DATA_WRITE (reads for ownership), L2_WB
Classes l3_write(const EventSite& s) {
  const Classes result = by_result(s);
  if (s.any(d::access_writeback)) return result | result << 6;
  return s.any(id::l3_for_ownership) && !fetched(s) ? result | result << 3 : not_counted;
}
constexpr std::uint16_t l3_victim = d::cache_l3 | d::evict_replacement;

}  // namespace

std::vector<Event> data_events() {
  return {
      occurring("L1D_READS_SET0", 2, by_all, Signal::dcache_lookup, read_pass),
      occurring("L1D_READS_SET1", 2, by_all, Signal::dcache_lookup, read),
      occurring("L1D_READ_MISSES", 2, by_all, Signal::dcache_lookup, read_miss, {"ALL", "RSE_FILL"}),
      occurring("DATA_REFERENCES_SET0", 4, by_all, Signal::data_reference, reference_pass),
      occurring("DATA_REFERENCES_SET1", 4, by_all, Signal::data_reference, reference),
      occurring("L1DTLB_TRANSFER", 1, by_all, Signal::translation, transfer_from_second_level),
      occurring("L2DTLB_MISSES", 4, by_all, Signal::translation, miss_of_second_level),
      occurring("DTLB_INSERTS_HPW", 4, by_all, Signal::tlb_insert, where<d::side_data>),
      occurring("DTLB_INSERTS_HPW_RETIRED", 4, by_all, Signal::access_retire, insert_of_retired),
      occurring("HPW_DATA_REFERENCES", 4, by_all, Signal::walk_read, each),
      occurring("L2_REFERENCES", 4, by_all, Signal::l2_reference, each),
      {.name = "L2_DATA_REFERENCES_L2",
       .umasks = {"DATA_READS", "DATA_WRITES", "ALL"},
       .rules = {{Signal::l2_reference, l2_read}, {Signal::l2_reference, l2_write}},
       .most = 4,
       .filters = by_all},
      occurring("L2_MISSES", 1, by_all, Signal::l2_lookup, line_absent),
      occurring("L3_REFERENCES", 1, by_all, Signal::l3_lookup, each),
      occurring("L3_MISSES", 1, by_all, Signal::l3_lookup, where<d::lookup_hit, 0>),
      occurring(
          "L3_READS", 1, by_all, Signal::l3_lookup, l3_read,
          {"ALL_ALL", "ALL_HIT", "ALL_MISS", "DATA_READ_ALL", "DATA_READ_HIT", "DATA_READ_MISS", "DINST_FETCH_ALL",
           "DINST_FETCH_HIT", "DINST_FETCH_MISS", "INST_FETCH_ALL", "INST_FETCH_HIT", "INST_FETCH_MISS"}),
      occurring("L3_WRITES", 1, by_all, Signal::l3_lookup, l3_write,
                {"ALL_ALL", "ALL_HIT", "ALL_MISS", "DATA_WRITE_ALL", "DATA_WRITE_HIT", "DATA_WRITE_MISS", "L2_WB_ALL",
                 "L2_WB_HIT", "L2_WB_MISS"}),
      occurring("L3_LINES_REPLACED", 1, {}, Signal::line_evict, where<d::cache_mask | d::evict_replacement, l3_victim>),
  };
}

// Itanium 2: the ordered queue of the L2 and recirculating entries.

namespace {

using activity::ia64::FetchCancel;
using activity::ia64::L3Cancel;
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;
namespace cancel = activity::ia64::queue_cancel;
namespace queue = activity::ia64::l2_queue;

// ANY (of the four that follow), LATE_SPEC_BYP, LATE_RELEASE, LATE_ACQUIRE, LATE_BYP_EFFRELEASE
Classes queue_cancel_0(const EventSite& s) {
  const QueueCancel cause = cause_of(s);
  if (cause == QueueCancel::missed_bypass) return places({0, 1});
  if (cause == QueueCancel::release && s.any(cancel::first)) return places({0, 2});
  if (cause == QueueCancel::acquire && s.has(cancel::first | cancel::adjacent)) return places({0, 3});
  if (cause == QueueCancel::bypass_of_release) return places({0, 4});
  return when(s.choices.any_queue_cancel, places({0}));
}

// REL, BANK_CONF, L2D_ST_MAT, SYNC, HPW_IFETCH_CONF, CANC_L2M_ST, L1_FILL_CONF, ST_FILL_CONF, CCV, SEM, L2M_ST_MAT,
// MFA, L2A_ST_MAT, L1DF_L2M, ECC
Classes queue_cancel_1(const EventSite& s) {
  constexpr std::pair<QueueStage, Classes> stages[] = {
      {QueueStage::l2d, places({2})}, {QueueStage::l2m, places({10})}, {QueueStage::l2a, places({12})}};
  constexpr std::pair<QueueCancel, Classes> causes[] = {
      {QueueCancel::release, places({0})},     {QueueCancel::bank, places({1})},
      {QueueCancel::sync, places({3})},        {QueueCancel::fetch, places({4})},
      {QueueCancel::store_order, places({5})}, {QueueCancel::compare_value, places({8})},
      {QueueCancel::semaphore, places({9})},   {QueueCancel::fence, places({11})},
      {QueueCancel::l1d_fill, places({13})},   {QueueCancel::l2_error, places({14})}};
  const QueueCancel cause = cause_of(s);
  if (cause == QueueCancel::store_data) return listed(stages, stage_of(s));
  if (cause == QueueCancel::fill && !s.any(cancel::store)) return places({6});
  if (cause == QueueCancel::fill) return when(s.any(cancel::same_set), places({7}));
  if (cause == QueueCancel::release && s.any(cancel::first)) return not_counted;
  if (cause == QueueCancel::fetch && !s.any(cancel::walker)) return not_counted;
  if (cause == QueueCancel::store_order && stage_of(s) != QueueStage::l2m) return not_counted;
  return listed(causes, cause);
}

// RECIRC_OVER_SUB, CANC_L2C_ST, L2C_ST_MAT, SCRUB, ACQ, READ_WB_CONF, OZ_DATA_CONF, L2FILL_ST_CONF, DIDNT_RECIRC,
// WEIRD, OVER_SUB, CANC_L2D_ST, D_IFET
Classes queue_cancel_2(const EventSite& s) {
  constexpr std::pair<QueueStage, Classes> stages[] = {{QueueStage::l2c, places({1})}, {QueueStage::l2d, places({11})}};
  constexpr std::pair<QueueCancel, Classes> causes[] = {{QueueCancel::recirculating, places({0})},
                                                        {QueueCancel::store_data, places({2})},
                                                        {QueueCancel::system_error, places({3})},
                                                        {QueueCancel::acquire, places({4})},
                                                        {QueueCancel::write_back_read, places({5})},
                                                        {QueueCancel::return_port, places({6})},
                                                        {QueueCancel::fill, places({7})},
                                                        {QueueCancel::still_missing, places({8})},
                                                        {QueueCancel::uncacheable, places({9})},
                                                        {QueueCancel::no_attempt_left, places({10})},
                                                        {QueueCancel::fetch, places({12})}};
  const QueueCancel cause = cause_of(s);
  if (cause == QueueCancel::store_order) return listed(stages, stage_of(s));
  if (cause == QueueCancel::store_data && stage_of(s) != QueueStage::l2c) return not_counted;
  if (cause == QueueCancel::acquire && s.has(cancel::first | cancel::adjacent)) return not_counted;
  if (cause == QueueCancel::fill && (!s.any(cancel::store) || s.any(cancel::same_set))) return not_counted;
  if (cause == QueueCancel::fetch && s.any(cancel::walker)) return not_counted;
  return listed(causes, cause);
}

// ANY, BYPASS, DIDNT_RECIR, RECIR_OVER_SUB, ST_FILL_WB, DATA_RD, PREEMPT, CHG_PRIO, IFETCH_BYP
Classes fetch_cancel(const EventSite& s) {
  namespace f = activity::ia64::fetch_cancel;
  constexpr std::pair<FetchCancel, Classes> causes[] = {{FetchCancel::still_missing, places({0, 2})},
                                                        {FetchCancel::recirculating, places({0, 3})},
                                                        {FetchCancel::fill_or_write_back, places({0, 4})},
                                                        {FetchCancel::snoop, places({0, 7})}};
  const auto cause = static_cast<FetchCancel>(s.what.detail & f::cause_mask);
  if (cause != FetchCancel::data) return listed(causes, cause, places({0}));
  if (s.any(f::first)) return s.any(f::prefetch) ? places({0, 8}) : places({0, 1});
  return (s.what.detail >> f::after_data_shift) < 2 ? places({0, 5}) : places({0, 6});
}

// ANY, SMC_HIT, L1W, TAG_NOTOK, TRAN_PREF, SNP_OR_L3, VIC_PEND, FILL_HIT, IPF_MISS, VIC_BUF_FULL, OZQ_MISS, SAME_INDEX,
// FRC_RECIRC
Classes forced_round(const EventSite& s) {
  namespace r = activity::ia64::recirculate;
  constexpr std::pair<Recirculate, Classes> causes[] = {
      {Recirculate::self_modifying, places({0, 1})}, {Recirculate::l1d_line_written, places({0, 2})},
      {Recirculate::tags_written, places({0, 3})},   {Recirculate::snoop, places({0, 5})},
      {Recirculate::write_back, places({0, 6})},     {Recirculate::no_victim_buffer, places({0, 9})},
      {Recirculate::miss, places({0, 10})},          {Recirculate::set_under_way, places({0, 11})},
      {Recirculate::no_fill_buffer, places({0, 12})}};
  const auto cause = static_cast<Recirculate>(s.what.detail & r::cause_mask);
  if (cause != Recirculate::line_under_way) return listed(causes, cause, places({0}));
  if (s.any(r::for_code_prefetch)) return places({0, 8});
  return s.any(r::prefetch) ? places({0, 4}) : places({0, 7});
}

// SPEC_L3_BYP, FILLD_FULL, UC_BLOCKED, INV_L3_BYP, EBL_REJECT
Classes l3_cancel_reason(const EventSite& s) {
  constexpr std::pair<L3Cancel, Classes> reasons[] = {{L3Cancel::l2_hit, places({3})},
                                                      {L3Cancel::no_fill_buffer, places({4})},
                                                      {L3Cancel::uncacheable_in_flight, places({5})},
                                                      {L3Cancel::l3_busy, places({6})},
                                                      {L3Cancel::bus_queue_full, places({7})}};
  const auto reason = static_cast<L3Cancel>(s.what.detail & activity::ia64::l3_cancel_reason_mask);
  if (reason == L3Cancel::l3_busy && s.any(activity::ia64::l3_cancel_during_write_back)) return not_counted;
  return listed(reasons, reason);
}
// ANY, DFETCH, IFETCH, then the reason
Classes l3_cancel(const EventSite& s) {
  return places({0}) | when(s.any(activity::ia64::l3_cancel_by_data), places({1})) |
         when(s.any(activity::ia64::l3_cancel_by_fetch), places({2})) | l3_cancel_reason(s);
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

}  // namespace

std::vector<Event> l2_queue_events() {
  return {
      occurring("L2_OZQ_CANCELS0", 4, by_all, Signal::queue_cancel, queue_cancel_0,
                {"ANY", "LATE_SPEC_BYP", "LATE_RELEASE", "LATE_ACQUIRE", "LATE_BYP_EFFRELEASE"}),
      occurring("L2_OZQ_CANCELS1", 4, by_all, Signal::queue_cancel, queue_cancel_1,
                {"REL", "BANK_CONF", "L2D_ST_MAT", "SYNC", "HPW_IFETCH_CONF", "CANC_L2M_ST", "L1_FILL_CONF",
                 "ST_FILL_CONF", "CCV", "SEM", "L2M_ST_MAT", "MFA", "L2A_ST_MAT", "L1DF_L2M", "ECC"}),
      occurring("L2_OZQ_CANCELS2", 4, by_all, Signal::queue_cancel, queue_cancel_2,
                {"RECIRC_OVER_SUB", "CANC_L2C_ST", "L2C_ST_MAT", "SCRUB", "ACQ", "READ_WB_CONF", "OZ_DATA_CONF",
                 "L2FILL_ST_CONF", "DIDNT_RECIRC", "WEIRD", "OVER_SUB", "CANC_L2D_ST", "D_IFET"}),
      occurring("L2_IFET_CANCELS", 1, by_all, Signal::fetch_cancel, fetch_cancel,
                {"ANY", "BYPASS", "DIDNT_RECIR", "RECIR_OVER_SUB", "ST_FILL_WB", "DATA_RD", "PREEMPT", "CHG_PRIO",
                 "IFETCH_BYP"}),
      occurring("L2_FORCE_RECIRC", 4, by_all, Signal::force_recirculate, forced_round,
                {"ANY", "SMC_HIT", "L1W", "TAG_NOTOK", "TRAN_PREF", "SNP_OR_L3", "VIC_PEND", "FILL_HIT", "IPF_MISS",
                 "VIC_BUF_FULL", "OZQ_MISS", "SAME_INDEX", "FRC_RECIRC"}),
      occurring("L2_L3ACCESS_CANCEL", 1, by_all, Signal::l3_cancel, l3_cancel,
                {"ANY", "DFETCH", "IFETCH", "SPEC_L3_BYP", "FILLD_FULL", "UC_BLOCKED", "INV_L3_BYP", "EBL_REJECT"}),
      occurring("L2_BYPASS", 1, by_all, Signal::bypass, bypassed,
                {"L2_DATA1", "L2_DATA2", "L2_INST1", "L2_INST2", "L3_DATA1", "L3_INST1"}),
      occurring("L2_OPS_ISSUED", 4, by_all, Signal::queue_issue, by_operation,
                {"INT_LOAD", "FP_LOAD", "RMW", "STORE", "NST_NLD"}),
      occurring("L2_ISSUED_RECIRC_IFETCH_ANY", 1, by_all, Signal::recirculate_try, where<d::side_data, 0>),
      occurring("L2_ISSUED_RECIRC_OZQ_ACC", 1, by_all, Signal::recirculate_try, where<d::side_data>),
      occurring("L2_GOT_RECIRC_IFETCH_ANY", 1, by_all, Signal::recirculate_done, where<d::side_data, 0>),
      occurring("L2_GOT_RECIRC_OZQ_ACC", 1, by_all, Signal::recirculate_done, where<d::side_data>),
      occurring("L2_BAD_LINES_SELECTED_ANY", 4, by_all, Signal::l2_valid_victim, each),
      occurring("L2_STORE_HIT_SHARED_ANY", 2, by_all, Signal::l2_store_shared, each),
      occurring("L2_SYNTH_PROBE", 1, by_all, Signal::l2_probe, each),
      level<queue::full>("L2_OZQ_FULL_THIS"),
      level<queue::data_full>("L2_OZDB_FULL_THIS"),
      level<queue::victims_full>("L2_VICTIMB_FULL_THIS"),
      level<queue::fills_full>("L2_FILLB_FULL_THIS"),
      level<queue::has_acquire>("L2_OZQ_ACQUIRE"),
      level<queue::has_release>("L2_OZQ_RELEASE"),
  };
}

}  // namespace pmusim::oracle::itanium2
