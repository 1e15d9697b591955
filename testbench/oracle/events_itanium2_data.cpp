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

Event of_data_side(std::string_view name, std::uint32_t most, Signal signal, Classes (*rule)(const EventSite&),
                   std::vector<std::string_view> umasks = {}) {
  return {.name = name, .umasks = std::move(umasks), .rules = {{signal, rule}}, .most = most, .filters = by_all};
}

}  // namespace

std::vector<Event> data_events() {
  return {
      of_data_side("L1D_READS_SET0", 2, Signal::dcache_lookup, read_pass),
      of_data_side("L1D_READS_SET1", 2, Signal::dcache_lookup, read),
      of_data_side("L1D_READ_MISSES", 2, Signal::dcache_lookup, read_miss, {"ALL", "RSE_FILL"}),
      of_data_side("DATA_REFERENCES_SET0", 4, Signal::data_reference, reference_pass),
      of_data_side("DATA_REFERENCES_SET1", 4, Signal::data_reference, reference),
      of_data_side("L1DTLB_TRANSFER", 1, Signal::translation, transfer_from_second_level),
      of_data_side("L2DTLB_MISSES", 4, Signal::translation, miss_of_second_level),
      of_data_side("DTLB_INSERTS_HPW", 4, Signal::tlb_insert, where<d::side_data>),
      of_data_side("DTLB_INSERTS_HPW_RETIRED", 4, Signal::access_retire, insert_of_retired),
      of_data_side("HPW_DATA_REFERENCES", 4, Signal::walk_read, each),
      of_data_side("L2_REFERENCES", 4, Signal::l2_reference, each),
      {.name = "L2_DATA_REFERENCES_L2",
       .umasks = {"DATA_READS", "DATA_WRITES", "ALL"},
       .rules = {{Signal::l2_reference, l2_read}, {Signal::l2_reference, l2_write}},
       .most = 4,
       .filters = by_all},
      of_data_side("L2_MISSES", 1, Signal::l2_lookup, line_absent),
      of_data_side("L3_REFERENCES", 1, Signal::l3_lookup, each),
      of_data_side("L3_MISSES", 1, Signal::l3_lookup, where<d::lookup_hit, 0>),
      of_data_side(
          "L3_READS", 1, Signal::l3_lookup, l3_read,
          {"ALL_ALL", "ALL_HIT", "ALL_MISS", "DATA_READ_ALL", "DATA_READ_HIT", "DATA_READ_MISS", "DINST_FETCH_ALL",
           "DINST_FETCH_HIT", "DINST_FETCH_MISS", "INST_FETCH_ALL", "INST_FETCH_HIT", "INST_FETCH_MISS"}),
      of_data_side("L3_WRITES", 1, Signal::l3_lookup, l3_write,
                   {"ALL_ALL", "ALL_HIT", "ALL_MISS", "DATA_WRITE_ALL", "DATA_WRITE_HIT", "DATA_WRITE_MISS",
                    "L2_WB_ALL", "L2_WB_HIT", "L2_WB_MISS"}),
      {.name = "L3_LINES_REPLACED",
       .rules = {{Signal::line_evict, where<d::cache_mask | d::evict_replacement, l3_victim>}},
       .most = 1},
  };
}

}  // namespace pmusim::oracle::itanium2
