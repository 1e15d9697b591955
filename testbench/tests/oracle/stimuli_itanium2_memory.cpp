#include <tuple>

#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {
namespace {

using i64::Requester;
namespace d = activity::detail;
namespace id = i64::detail;

Stimulus one(const std::string& what, Signal signal, const Access& made, unsigned detail, const std::string& rows) {
  return {what, [=](Machine& m, Cycle at) { m.put(signal, at, made, detail); }, rows};
}
template <class Reason>
Stimulus because(Signal signal, Reason why, const std::string& rows, unsigned also = 0) {
  return one(rows, signal, load_of(), static_cast<unsigned>(why) | also, rows);
}
Access l1d_read(Requester requester = Requester::data) {
  return but(access(requester, true, false), [](Access& a) { a.request.l1d_read = true; });
}

void add_fetches(std::vector<Stimulus>& list) {
  const auto add = [&](const std::string& what, Signal s, const Access& a, unsigned detail, const std::string& rows) {
    list.push_back(one(what, s, a, detail, rows));
  };
  add("fetch hits", Signal::fetch, fetch_of(), d::lookup_hit, "L1I_READS");
  add("fetch misses", Signal::fetch, fetch_of(), d::lookup_miss, "L1I_READS");
  add("fetch finds its line under way", Signal::fetch, fetch_of(), d::lookup_pending, "L1I_READS L1I_FETCH_RAB_HIT");
  add("fetch finds its line in the streaming buffer", Signal::fetch, fetch_of(),
      d::lookup_miss | id::fetch_stream_buffer, "L1I_READS L1I_FETCH_ISB_HIT");
  add("prefetch", Signal::fetch, prefetch_of(), d::lookup_pending | d::access_prefetch, "L1I_PREFETCHES");
  add("streaming prefetch", Signal::fetch, prefetch_of(), d::lookup_miss | d::access_prefetch | id::fetch_streaming,
      "L1I_{,STRM_}PREFETCHES");
  add("line for L1I", Signal::line_fill, fetch_of(), 0, "L1I_FILLS");
  add("line for L1D", Signal::line_fill, load_of(), d::side_data, "");
  add("bundle pair", Signal::bundle_pair_in, prefetch_of(), 0, "ISB_BUNPAIRS_IN");
  add("demand for a line", Signal::line_request, fetch_of(), 0, "L2_INST_DEMAND_READS");
  add("prefetch of a line", Signal::line_request, prefetch_of(), d::access_prefetch, "L2_INST_PREFETCHES");
  add("L1D asks for a line", Signal::line_request, load_of(), d::side_data, "");
  add("fetch finds its translation in the second level", Signal::translation, fetch_of(), d::tlb_second_level_hit,
      "ITLB_MISSES_FETCH_{ALL,L1ITLB} L1I_EAR_TLB_{L2TLB,L2TLB_OR_VHPT,L2TLB_OR_FAULT,ALL}");
  add("fetch needs the walker", Signal::translation, fetch_of(), d::tlb_walk,
      "ITLB_MISSES_FETCH_{ALL,L1ITLB,L2ITLB} L1I_EAR_TLB_{VHPT,L2TLB_OR_VHPT,VHPT_OR_FAULT,ALL} L1I_EAR_EVENTS");
  add("fetch faults", Signal::translation, fetch_of(), d::tlb_walk | id::tlb_fault,
      "ITLB_MISSES_FETCH_{ALL,L1ITLB,L2ITLB} L1I_EAR_TLB_{FAULT,L2TLB_OR_FAULT,VHPT_OR_FAULT,ALL}");
  add("prefetch needs the walker", Signal::translation, prefetch_of(), d::tlb_walk, "");
  add("walker fills the instruction TLB", Signal::tlb_insert, fetch_of(), 0, "L1ITLB_INSERTS_HPW");
  add("prefetch is lost", Signal::prefetch_lost, prefetch_of(), 0, "L1I_PVAB_OVERFLOW");
  list.push_back({"ITLB purge", [](Machine& m, Cycle at) { m.happen(Signal::tlb_purge, at); }, "L1I_PURGE"});
  list.push_back({"L1I snoop", [](Machine& m, Cycle at) { m.happen(Signal::l1i_snoop, at); }, "L1I_SNOOP"});
}

void add_data(std::vector<Stimulus>& list) {
  const auto add = [&](const std::string& what, Signal s, const Access& a, unsigned detail, const std::string& rows) {
    list.push_back(one(what, s, a, detail, rows));
  };
  add("integer load hits", Signal::dcache_lookup, l1d_read(), d::lookup_hit, "L1D_READS_SET{0,1}");
  add("integer load misses", Signal::dcache_lookup, l1d_read(), d::lookup_miss,
      "L1D_READS_SET{0,1} L1D_READ_MISSES_ALL");
  add("integer load finds its line under way", Signal::dcache_lookup, l1d_read(), d::lookup_pending,
      "L1D_READS_SET{0,1} L1D_READ_MISSES_ALL");
  add("load that will be replayed", Signal::dcache_lookup, l1d_read(), d::lookup_miss | id::access_replayed,
      "L1D_READS_SET0");
  add("register stack fill misses", Signal::dcache_lookup, l1d_read(Requester::register_stack), d::lookup_miss,
      "L1D_READS_SET{0,1} L1D_READ_MISSES_{ALL,RSE_FILL}");
  add("store looks up L1D", Signal::dcache_lookup, store_of(), d::lookup_miss, "");
  add("reference", Signal::data_reference, store_of(), 0, "DATA_REFERENCES_SET{0,1}");
  add("lfetch", Signal::data_reference,
      but(access(Requester::data, false, false), [](Access& a) { a.request.prefetch = true; }), 0, "");
  add("reference that will be replayed", Signal::data_reference, load_of(), id::access_replayed,
      "DATA_REFERENCES_SET0");
  add("reference to a watched address", Signal::data_reference, load_of(watched_address), 0,
      "DATA_REFERENCES_SET{0,1} DATA_DEBUG_REGISTER_MATCHES");
  add("store to a watched address", Signal::data_reference, store_of(watched_address), 0, "DATA_REFERENCES_SET{0,1}");
  add("reference of the walker", Signal::data_reference, access(Requester::page_walker, true, false, watched_address),
      0, "");
  add("data translation of the second level", Signal::translation, l1d_read(), d::side_data | d::tlb_second_level_hit,
      "L1DTLB_TRANSFER");
  add("the same for a floating-point load", Signal::translation, load_of(), d::side_data | d::tlb_second_level_hit, "");
  add("data walk", Signal::translation, l1d_read(), d::side_data | d::tlb_walk, "L2DTLB_MISSES");
  add("data fault", Signal::translation, store_of(), d::side_data | id::tlb_fault, "L2DTLB_MISSES");
  add("walker fills the data TLB", Signal::tlb_insert, load_of(), d::side_data, "DTLB_INSERTS_HPW");
  add("walker reads the page table", Signal::walk_read, access(Requester::page_walker, true, false), 0,
      "HPW_DATA_REFERENCES LOADS_RETIRED");
  add("load at L2", Signal::l2_reference, load_of(), 0, "L2_REFERENCES L2_DATA_REFERENCES_L2_{DATA_READS,ALL}");
  add("store at L2", Signal::l2_reference, store_of(), 0, "L2_REFERENCES L2_DATA_REFERENCES_L2_{DATA_WRITES,ALL}");
  add("walker at L2", Signal::l2_reference, access(Requester::page_walker, true, false), 0,
      "L2_REFERENCES L2_DATA_REFERENCES_L2_{DATA_READS,ALL}");
  add("lfetch at L2", Signal::l2_reference,
      but(load_of(),
          [](Access& a) {
            a.request.load = false;
            a.request.prefetch = true;
          }),
      0, "L2_REFERENCES L2_DATA_REFERENCES_L2_{DATA_READS,ALL}");
  add("fc at L2", Signal::l2_reference, access(Requester::data, false, false), 0, "L2_REFERENCES");
  add("fetch at L2", Signal::l2_reference, fetch_of(), 0, "L2_REFERENCES");
  add("semaphore at L2", Signal::l2_reference,
      but(access(Requester::data, true, true), [](Access& a) { a.request.semaphore = true; }), 0,
      "L2_REFERENCES L2_DATA_REFERENCES_L2_{DATA_READS,DATA_WRITES} L2_DATA_REFERENCES_L2_ALL=2");
  add("L2 misses", Signal::l2_lookup, load_of(), d::side_data | d::lookup_miss, "L2_MISSES");
  add("L2 misses a line under way", Signal::l2_lookup, load_of(), d::side_data | d::lookup_pending, "");
  const std::pair<unsigned, std::string> results[] = {{d::lookup_hit, "HIT"}, {d::lookup_miss, "MISS"}};
  for (const auto& [detail, name] : results) {
    const std::string always = std::string("L3_REFERENCES ") + (name == "MISS" ? "L3_MISSES " : "");
    const auto at_l3 = [&, detail = detail, name = name](const std::string& kinds, const Access& a, unsigned kind) {
      add("L3 " + kinds, Signal::l3_lookup, a, detail | kind, always + kinds + "_{ALL," + name + "}");
    };
    at_l3("L3_READS_{ALL,DATA_READ}", load_of(), d::side_data);
    at_l3("L3_READS_{ALL,INST_FETCH,DINST_FETCH}", fetch_of(), 0);
    at_l3("L3_READS_{ALL,INST_FETCH}", prefetch_of(), d::access_prefetch);
    at_l3("L3_WRITES_{ALL,DATA_WRITE}", store_of(), d::side_data | id::l3_for_ownership);
    at_l3("L3_WRITES_{ALL,L2_WB}", store_of(), d::side_data | d::access_writeback);
  }
  add("L3 victim", Signal::line_evict, load_of(), d::cache_l3 | d::evict_replacement, "L3_LINES_REPLACED");
  add("L2 victim", Signal::line_evict, load_of(), d::cache_l2 | d::evict_replacement, "");
  add("L3 line lost to a snoop", Signal::line_evict, load_of(), d::cache_l3 | d::evict_snoop, "");
}

void add_queue(std::vector<Stimulus>& list) {
  using Q = i64::QueueCancel;
  using S = i64::QueueStage;
  using i64::queue_stage;
  namespace q = i64::queue_cancel;
  const auto detail = [](auto cause, unsigned facts) { return static_cast<unsigned>(cause) | facts; };
  const std::tuple<Q, unsigned, const char*> cancels[] = {
      {Q::missed_bypass, q::first, "0_{ANY,LATE_SPEC_BYP}"},
      {Q::release, q::first, "0_{ANY,LATE_RELEASE}"},
      {Q::acquire, q::first | q::adjacent, "0_{ANY,LATE_ACQUIRE}"},
      {Q::bypass_of_release, q::first, "0_{ANY,LATE_BYP_EFFRELEASE}"},
      {Q::release, 0, "1_REL"},
      {Q::bank, 0, "1_BANK_CONF"},
      {Q::store_data, queue_stage(S::l2d), "1_L2D_ST_MAT"},
      {Q::sync, 0, "1_SYNC"},
      {Q::fetch, q::walker, "1_HPW_IFETCH_CONF"},
      {Q::store_order, q::store | queue_stage(S::l2m), "1_CANC_L2M_ST"},
      {Q::fill, 0, "1_L1_FILL_CONF"},
      {Q::fill, q::same_set, "1_L1_FILL_CONF"},
      {Q::fill, q::store | q::same_set, "1_ST_FILL_CONF"},
      {Q::compare_value, 0, "1_CCV"},
      {Q::semaphore, 0, "1_SEM"},
      {Q::store_data, queue_stage(S::l2m), "1_L2M_ST_MAT"},
      {Q::fence, 0, "1_MFA"},
      {Q::store_data, queue_stage(S::l2a), "1_L2A_ST_MAT"},
      {Q::l1d_fill, q::first, "1_L1DF_L2M"},
      {Q::l2_error, 0, "1_ECC"},
      {Q::recirculating, 0, "2_RECIRC_OVER_SUB"},
      {Q::store_order, q::store | queue_stage(S::l2c), "2_CANC_L2C_ST"},
      {Q::store_data, queue_stage(S::l2c), "2_L2C_ST_MAT"},
      {Q::system_error, 0, "2_SCRUB"},
      {Q::acquire, 0, "2_ACQ"},
      {Q::acquire, q::first, "2_ACQ"},
      {Q::acquire, q::adjacent, "2_ACQ"},
      {Q::write_back_read, 0, "2_READ_WB_CONF"},
      {Q::return_port, 0, "2_OZ_DATA_CONF"},
      {Q::fill, q::store, "2_L2FILL_ST_CONF"},
      {Q::still_missing, 0, "2_DIDNT_RECIRC"},
      {Q::uncacheable, 0, "2_WEIRD"},
      {Q::no_attempt_left, q::first, "2_OVER_SUB"},
      {Q::store_order, q::store | queue_stage(S::l2d), "2_CANC_L2D_ST"},
      {Q::fetch, 0, "2_D_IFET"}};
  for (const auto& [why, facts, name] : cancels) {
    list.push_back(because(Signal::queue_cancel, detail(why, facts), std::string("L2_OZQ_CANCELS") + name));
  }
  using F = i64::FetchCancel;
  namespace f = i64::fetch_cancel;
  const std::tuple<F, unsigned, const char*> fetch_cancels[] = {
      {F::data, f::first, "BYPASS"},
      {F::still_missing, 0, "DIDNT_RECIR"},
      {F::recirculating, 0, "RECIR_OVER_SUB"},
      {F::fill_or_write_back, 0, "ST_FILL_WB"},
      {F::data, 0, "DATA_RD"},
      {F::data, 1u << f::after_data_shift, "DATA_RD"},
      {F::data, 2u << f::after_data_shift, "PREEMPT"},
      {F::data, f::prefetch | 3u << f::after_data_shift, "PREEMPT"},
      {F::snoop, 0, "CHG_PRIO"},
      {F::data, f::first | f::prefetch, "IFETCH_BYP"}};
  for (const auto& [why, facts, name] : fetch_cancels) {
    list.push_back(
        because(Signal::fetch_cancel, detail(why, facts), std::string("L2_IFET_CANCELS_{ANY,") + name + "}"));
  }
  using R = i64::Recirculate;
  namespace r = i64::recirculate;
  const std::tuple<R, unsigned, const char*> rounds[] = {
      {R::self_modifying, r::store, "SMC_HIT"},
      {R::l1d_line_written, 0, "L1W"},
      {R::tags_written, 0, "TAG_NOTOK"},
      {R::line_under_way, r::prefetch, "TRAN_PREF"},
      {R::snoop, 0, "SNP_OR_L3"},
      {R::write_back, 0, "VIC_PEND"},
      {R::line_under_way, i64::line_phase(i64::LinePhase::arrives), "FILL_HIT"},
      {R::line_under_way, r::store, "FILL_HIT"},
      {R::line_under_way, r::for_code_prefetch, "IPF_MISS"},
      {R::line_under_way, r::prefetch | r::for_code_prefetch, "IPF_MISS"},
      {R::no_victim_buffer, 0, "VIC_BUF_FULL"},
      {R::miss, r::prefetch, "OZQ_MISS"},
      {R::set_under_way, 0, "SAME_INDEX"},
      {R::no_fill_buffer, 0, "FRC_RECIRC"}};
  for (const auto& [why, facts, name] : rounds) {
    list.push_back(
        because(Signal::force_recirculate, detail(why, facts), std::string("L2_FORCE_RECIRC_{ANY,") + name + "}"));
  }
  using L = i64::L3Cancel;
  const std::tuple<L, unsigned, const char*> l3_cancels[] = {
      {L::l2_hit, 0, ",SPEC_L3_BYP"},
      {L::no_fill_buffer, 0, ",FILLD_FULL"},
      {L::uncacheable_in_flight, 0, ",UC_BLOCKED"},
      {L::l3_busy, 0, ",INV_L3_BYP"},
      {L::l3_busy, i64::l3_cancel_during_write_back, ""},
      {L::bus_queue_full, 0, ",EBL_REJECT"},
      {L::bus_queue_full, i64::l3_cancel_by_data, ",EBL_REJECT,DFETCH"},
      {L::snoop_of_victim, i64::l3_cancel_by_fetch, ",IFETCH"}};
  for (const auto& [why, facts, names] : l3_cancels) {
    list.push_back(
        because(Signal::l3_cancel, detail(why, facts), std::string("L2_L3ACCESS_CANCEL_{ANY") + names + "}"));
  }
  unsigned operation = 0;
  for (const char* name : {"INT_LOAD", "FP_LOAD", "RMW", "STORE", "NST_NLD"}) {
    list.push_back(because(Signal::queue_issue, operation++, std::string("L2_OPS_ISSUED_") + name));
  }
  const std::pair<unsigned, const char*> bypasses[] = {{0, "L2_BYPASS_L2_DATA1"},
                                                       {id::bypass_late, "L2_BYPASS_L2_DATA2"},
                                                       {id::bypass_instruction, "L2_BYPASS_L2_INST1"},
                                                       {id::bypass_instruction | id::bypass_late, "L2_BYPASS_L2_INST2"},
                                                       {id::bypass_l3, "L2_BYPASS_L3_DATA1"},
                                                       {id::bypass_l3 | id::bypass_instruction, "L2_BYPASS_L3_INST1"},
                                                       {id::bypass_l3 | id::bypass_late, ""}};
  for (const auto& [detail, rows] : bypasses) list.push_back(because(Signal::bypass, detail, rows));
  list.push_back(because(Signal::recirculate_try, 0u, "L2_ISSUED_RECIRC_IFETCH_ANY"));
  list.push_back(because(Signal::recirculate_try, +d::side_data, "L2_ISSUED_RECIRC_OZQ_ACC"));
  list.push_back(because(Signal::recirculate_done, 0u, "L2_GOT_RECIRC_IFETCH_ANY"));
  list.push_back(because(Signal::recirculate_done, +d::side_data, "L2_GOT_RECIRC_OZQ_ACC"));
  list.push_back(because(Signal::l2_valid_victim, 0u, "L2_BAD_LINES_SELECTED_ANY"));
  list.push_back(because(Signal::l2_store_shared, 0u, "L2_STORE_HIT_SHARED_ANY"));
  list.push_back(because(Signal::l2_probe, 0u, "L2_SYNTH_PROBE"));
}

/// "A_{LAT4,LAT8}" with all latencies up to `latency`.
std::string reached(const std::string& row, std::initializer_list<unsigned> latencies, unsigned latency) {
  std::string names;
  for (const unsigned least : latencies) {
    if (latency >= std::max(least, 1u)) names += (names.empty() ? "LAT" : ",LAT") + std::to_string(least);
  }
  return names.empty() ? "" : row + "{" + names + "}";
}

// One cycle on each side of every limit.
void add_latencies(std::vector<Stimulus>& list) {
  constexpr Cycle length = 4200;
  for (unsigned limit = 4; limit <= 4096; limit *= 2) {
    for (const unsigned latency : {limit - 1, limit}) {
      list.push_back({"load of latency " + std::to_string(latency),
                      [latency](Machine& m, Cycle at) {
                        const auto ref = m.put(Signal::data_reference, at, load_of());
                        m.again(Signal::load_return, at + latency, ref);
                      },
                      "DATA_REFERENCES_SET{0,1} " +
                          reached("DATA_EAR_CACHE_", {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}, latency) +
                          (latency >= 8 ? " DATA_EAR_EVENTS" : ""),
                      length});
    }
  }
  for (const unsigned limit : {1u, 4u, 8u, 16u, 32u, 128u, 256u, 1024u, 4096u}) {
    for (const unsigned latency : {limit - 1, limit}) {
      list.push_back({"fetch of latency " + std::to_string(latency),
                      [latency](Machine& m, Cycle at) {
                        const auto ref = m.put(Signal::fetch, at, fetch_of(), d::lookup_miss);
                        m.again(Signal::fetch_return, at + latency, ref);
                      },
                      "L1I_READS " + reached("L1I_EAR_CACHE_", {0, 4, 8, 16, 32, 128, 256, 1024, 4096}, latency),
                      length});
    }
  }
  list.push_back({"fetch of a line under way, latency 5",
                  [](Machine& m, Cycle at) {
                    const auto ref = m.put(Signal::fetch, at, fetch_of(), d::lookup_pending);
                    m.again(Signal::fetch_return, at + 5, ref);
                  },
                  "L1I_READS L1I_FETCH_RAB_HIT L1I_EAR_CACHE_{LAT0,LAT4,RAB}", 20});
}

}  // namespace

std::vector<Stimulus> memory_stimuli() {
  std::vector<Stimulus> list;
  add_latencies(list);
  add_fetches(list);
  add_data(list);
  add_queue(list);
  return list;
}

}  // namespace pmusim::oracle::script
