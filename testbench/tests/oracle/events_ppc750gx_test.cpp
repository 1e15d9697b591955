// Every event of the 750GX: an occurrence that counts, and the most similar one that does not.
#include <gtest/gtest.h>

#include <set>

#include "script.h"

namespace pmusim::oracle::ppc750gx {
namespace {

using namespace script;    // NOLINT
using namespace activity;  // NOLINT
namespace d = activity::detail;

RequestRecord load_miss(Cycle start, Cycle end) {
  RequestRecord r;
  r.start = start;
  r.end = end;
  r.oldest_in_queue = true;
  return r;
}
template <class Change>
RequestRecord load_miss_but(Change change) {
  RequestRecord r = load_miss(0, 21);
  change(r);
  return r;
}
constexpr unsigned evicted(unsigned cache, LineState state, unsigned why) {
  return cache | static_cast<unsigned>(state) << d::evict_state_shift | why;
}
InstructionRecord at_address(std::uint64_t ip) {
  InstructionRecord i;
  i.ip = ip;
  return i;
}
InstructionRecord store_conditional(bool success) {
  InstructionRecord i = instruction({Trait::store, Trait::store_conditional});
  i.conditional_success = success;
  return i;
}
void threshold_20(Request& r) { r.threshold = 20; }
void iabr_1000(Request& r) { r.address = 0x1000; }
void iabr_1000_translated(Request& r) {
  r.address = 0x1003;  // bits 30 and 31 of IABR are not address bits
  r.breakpoint = breakpoint_translation;
}

constexpr unsigned walk_i = d::tlb_walk, walk_d = d::side_data | d::tlb_walk;
constexpr unsigned predicted = d::branch_conditional | d::branch_predicted;
constexpr auto modified = LineState::modified;
constexpr auto exclusive = LineState::exclusive;

const std::vector<Row> rows = {
    {"NOTHING", "", nothing(), signal(Signal::retire), 0},
    {"PROCESSOR_CYCLES", "", nothing(), nothing(), 10},
    {"INSTRUCTIONS_COMPLETED", "", all({signal(Signal::retire), signal(Signal::retire)}),
     all({signal(Signal::fold), signal(Signal::kill), signal(Signal::finish)}), 2},
    {"INSTRUCTIONS_DISPATCHED", "", of(Signal::dispatch, InstructionRecord{}),
     all({signal(Signal::fold), signal(Signal::issue)})},
    {"EIEIO_INSTRUCTIONS", "", of(Signal::retire, instruction({Trait::eieio})),
     of(Signal::retire, instruction({Trait::sync}))},
    {"ITLB_TABLE_SEARCH_CYCLES", "", level(State::table_walk, 1), level(State::table_walk, 2)},
    {"DTLB_TABLE_SEARCH_CYCLES", "", level(State::table_walk, 2), level(State::table_walk, 1)},
    {"L2_ACCESSES", "",
     all({signal(Signal::l2_lookup, d::lookup_hit), signal(Signal::l2_lookup, d::lookup_hit | d::side_data),
          signal(Signal::l2_lookup, d::lookup_hit | d::side_data | d::access_cache_operation)}),
     all({signal(Signal::l2_lookup, d::lookup_miss),
          signal(Signal::l2_lookup, d::lookup_hit | d::side_data | d::access_writeback)}),
     3},
    {"EAS_DELIVERED", "", signal(Signal::fetch), signal(Signal::line_request)},
    {"IABR_MATCHES", "", of(Signal::retire, at_address(0x1002)),
     all({of(Signal::retire, at_address(0x1004)), of(Signal::retire, at_address(0xffc)),
          of(Signal::dispatch, at_address(0x1000))}),
     1, iabr_1000},
    {"IABR_MATCHES", "", all({level(State::msr, msr::ir), of(Signal::retire, at_address(0x1000))}),
     of(Signal::retire, at_address(0x1000)), 1, iabr_1000_translated},
    {"IABR_MATCHES", "", of(Signal::retire, at_address(0x1000)),
     all({level(State::msr, msr::ir), of(Signal::retire, at_address(0x1000))}), 1, iabr_1000},
    {"L1_LOAD_MISSES", "", of(Signal::load_return, load_miss(0, 1)), of(Signal::load_return, load_miss(1, 1))},
    {"UNRESOLVED_BRANCHES", "", signal(Signal::branch_handled, d::branch_conditional | d::branch_unresolved),
     all({signal(Signal::branch_handled, d::branch_conditional), signal(Signal::branch_handled, d::branch_unresolved),
          signal(Signal::branch_resolved, d::branch_conditional | d::branch_unresolved)})},
    {"SECOND_UNRESOLVED_BRANCH_STALLS", "", level(State::dispatch_hold, dispatch_hold::second_stream),
     level(State::dispatch_hold, dispatch_hold::completion_full | dispatch_hold::serialize)},
    {"L1_ICACHE_MISSES", "", signal(Signal::line_request),
     all({signal(Signal::line_request, d::side_data), signal(Signal::fetch, d::lookup_miss)})},
    {"ITLB_MISSES", "", signal(Signal::translation, walk_i),
     all({signal(Signal::translation, walk_d), signal(Signal::translation, d::tlb_second_level_hit)})},
    {"DTLB_MISSES", "", signal(Signal::translation, walk_d),
     all({signal(Signal::translation, walk_i), signal(Signal::translation, d::side_data | d::tlb_second_level_hit)})},
    {"L2_I_MISSES", "", signal(Signal::l2_lookup, d::lookup_miss),
     all({signal(Signal::l2_lookup, d::lookup_hit), signal(Signal::l2_lookup, d::lookup_miss | d::side_data)})},
    {"L2_DATA_MISSES", "", signal(Signal::l2_lookup, d::lookup_miss | d::side_data),
     all({signal(Signal::l2_lookup, d::lookup_miss), signal(Signal::l2_lookup, d::lookup_hit | d::side_data),
          signal(Signal::l2_lookup, d::lookup_miss | d::side_data | d::access_writeback),
          signal(Signal::l2_lookup, d::lookup_miss | d::side_data | d::access_cache_operation)})},
    {"BRANCHES_NOT_TAKEN", "", signal(Signal::branch_handled, d::branch_conditional),
     all({signal(Signal::branch_handled, d::branch_taken), signal(Signal::branch_resolved, d::branch_conditional)})},
    {"RESERVED_LOADS", "", of(Signal::retire, instruction({Trait::load, Trait::load_reserve})),
     of(Signal::retire, instruction({Trait::load}))},
    {"LOADS_AND_STORES", "",
     all({of(Signal::retire, instruction({Trait::load})), of(Signal::retire, instruction({Trait::store})),
          of(Signal::retire, instruction({Trait::load, Trait::multiple}))}),
     all({of(Signal::retire, instruction({Trait::store, Trait::cache_operation})),
          of(Signal::retire, instruction({Trait::sync})), of(Signal::dispatch, instruction({Trait::load}))}),
     3},
    {"SNOOPS", "", signal(Signal::snoop), signal(Signal::bus_request)},
    {"SNOOP_RETRIES", "", signal(Signal::snoop, d::snoop_retried),
     signal(Signal::snoop, d::snoop_hits_l2 | d::snoop_pushed_modified_l2)},
    {"L1_CASTOUTS_TO_L2", "",
     signal(Signal::line_evict, evicted(d::cache_l1d, modified, d::evict_replacement | d::evict_to_l2)),
     all({signal(Signal::line_evict, evicted(d::cache_l1d, modified, d::evict_replacement)),
          signal(Signal::line_evict, evicted(d::cache_l1d, exclusive, d::evict_replacement)),
          signal(Signal::line_evict, evicted(d::cache_l1i, modified, d::evict_to_l2)),
          signal(Signal::line_evict, evicted(d::cache_l2, modified, d::evict_replacement))})},
    {"SYSTEM_UNIT_INSTRUCTIONS", "", of(Signal::retire, on_unit(Unit::system)),
     all({of(Signal::retire, on_unit(Unit::integer_1)), of(Signal::issue, on_unit(Unit::system))})},
    {"INSTRUCTION_FETCH_MISSES", "",
     all({signal(Signal::fetch, d::lookup_miss), signal(Signal::fetch, d::lookup_pending)}),
     all({signal(Signal::fetch, d::lookup_hit), signal(Signal::line_request)}), 2},
    {"SPECULATIVE_BRANCHES", "", signal(Signal::branch_resolved, predicted | d::branch_correct),
     all({signal(Signal::branch_resolved, predicted),
          signal(Signal::branch_resolved, predicted | d::branch_level_2 | d::branch_correct)})},
    {"SECOND_STREAM_RESOLVED_BRANCHES", "",
     signal(Signal::branch_resolved, predicted | d::branch_level_2 | d::branch_correct),
     all({signal(Signal::branch_resolved, predicted | d::branch_correct),
          signal(Signal::branch_resolved, predicted | d::branch_level_2)})},
    {"L1_DCACHE_MISSES", "",
     all({signal(Signal::dcache_lookup, d::access_load | d::lookup_miss),
          signal(Signal::dcache_lookup, d::access_store | d::lookup_miss)}),
     all({signal(Signal::dcache_lookup, d::access_load | d::lookup_hit),
          signal(Signal::dcache_lookup, d::access_load | d::lookup_pending),
          signal(Signal::dcache_lookup, d::access_cache_operation | d::lookup_miss),
          signal(Signal::dcache_lookup, d::access_load | d::access_walk | d::lookup_miss)}),
     2},
    {"TAKEN_BRANCHES", "",
     signal(Signal::branch_resolved, predicted | d::branch_predicted_taken | d::branch_taken | d::branch_correct),
     all({signal(Signal::branch_resolved, predicted | d::branch_taken),
          signal(Signal::branch_resolved, predicted | d::branch_predicted_taken),
          signal(Signal::branch_handled, predicted | d::branch_predicted_taken | d::branch_taken)})},
    {"STORE_CONDITIONAL_INSTRUCTIONS", "",
     all({of(Signal::retire, store_conditional(true)), of(Signal::retire, store_conditional(false))}),
     of(Signal::retire, instruction({Trait::store})), 2},
    {"STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", "", of(Signal::retire, store_conditional(true)),
     of(Signal::retire, store_conditional(false))},
    {"FPU_INSTRUCTIONS", "", of(Signal::retire, on_unit(Unit::fp)), of(Signal::retire, on_unit(Unit::load_store))},
    {"INTEGER_OPERATIONS", "",
     all({of(Signal::retire, on_unit(Unit::integer_1)), of(Signal::retire, on_unit(Unit::integer_2))}),
     all({of(Signal::retire, on_unit(Unit::system)), of(Signal::retire, on_unit(Unit::branch))}), 2},
    {"L2_CASTOUTS_MODIFIED_SNOOPS", "", signal(Signal::snoop, d::snoop_hits_l2 | d::snoop_pushed_modified_l2),
     signal(Signal::snoop, d::snoop_hits_l2 | d::snoop_hits_l1d | d::snoop_invalidates)},
    {"L2_HITS", "", signal(Signal::l2_lookup, d::side_data | d::access_cache_operation | d::lookup_hit),
     all({signal(Signal::l2_lookup, d::side_data | d::access_load | d::lookup_hit),
          signal(Signal::l2_lookup, d::side_data | d::access_cache_operation | d::lookup_miss)})},
    {"L1_LOAD_MISS_CYCLES", "", level(State::load_misses, 3), level(State::l2_fill_wait, 1)},
    {"BPU_LR_CR_STALL_CYCLES", "", level(State::branch_unit, branch_wait::link_or_condition),
     level(State::branch_unit, branch_wait::count_register | branch_wait::both_levels_used)},
    {"BPU_BLOCKED_CYCLES", "", level(State::branch_unit, branch_wait::both_levels_used),
     level(State::branch_unit, branch_wait::count_register | branch_wait::link_or_condition)},
    {"L2_CASTOUTS", "",
     all({signal(Signal::line_evict, evicted(d::cache_l2, modified, d::evict_replacement)),
          signal(Signal::snoop, d::snoop_hits_l2 | d::snoop_pushed_modified_l2),
          // the eviction of the same line, as reported by the cache
          signal(Signal::line_evict, evicted(d::cache_l2, modified, d::evict_snoop))}),
     all({signal(Signal::line_evict, evicted(d::cache_l2, exclusive, d::evict_replacement)),
          signal(Signal::line_evict, evicted(d::cache_l2, modified, d::evict_cache_operation)),
          signal(Signal::line_evict, evicted(d::cache_l1d, modified, d::evict_replacement)),
          signal(Signal::snoop, d::snoop_hits_l2)}),
     2},
    {"MISPREDICTED_BRANCHES", "", signal(Signal::branch_resolved, predicted),
     signal(Signal::branch_resolved, predicted | d::branch_correct)},
    {"SYNC_INSTRUCTIONS", "", of(Signal::retire, instruction({Trait::sync})),
     of(Signal::retire, instruction({Trait::serializing}))},
};

TEST(Ppc750gxEvents, CountTheirOccurrencesOnly) {
  for (const Row& row : rows) {
    const Tally hit = count_put("ppc750gx", row, row.hit);
    EXPECT_EQ(hit.expected, row.expected) << row.event;
    EXPECT_EQ(hit.occurrences, row.expected) << row.event;
    const std::uint64_t missed = row.event == "PROCESSOR_CYCLES" ? 10 : 0;
    EXPECT_EQ(count_put("ppc750gl", row, row.near_miss).expected, missed) << row.event << ": near miss";
  }
}

TEST(Ppc750gxEvents, TableIsComplete) {
  std::set<std::string> tested = {"TBL_BIT_TRANSITIONS"};  // time_base_test.cpp
  for (const Row& row : rows) tested.insert(row.event);
  unsigned reserved = 0;
  for (const EventName& event : events("ppc750gx")) {
    EXPECT_TRUE(event.umasks.empty()) << event.name;
    if (event.name.starts_with("PM_RSVD_")) {
      ++reserved;
    } else {
      EXPECT_TRUE(tested.contains(std::string(event.name))) << event.name;
    }
  }
  EXPECT_EQ(reserved, 12u + (1 + 4) + (1 + 1 + 14) + (1 + 1 + 17));  // PMC1 13-24; PMC2; PMC3; PMC4
}

TEST(Ppc750gxEvents, ReservedSelectorsHold) {
  for (const EventName& event : events("ppc750gx")) {
    if (!event.name.starts_with("PM_RSVD_")) continue;
    const Row row{std::string(event.name), "", nothing(), nothing()};
    for (const Row& other : rows) EXPECT_EQ(count_put("ppc750gx", row, other.hit).expected, 0u) << event.name;
  }
}

// Threshold 20: a latency of 20 does not exceed it, 21 does.
TEST(Ppc750gxEvents, LoadMissThreshold) {
  const Row row{"L1_LOAD_MISSES", "", nothing(), nothing(), 1, threshold_20};
  const auto latency = [&](Cycle cycles, const ParameterLookup& parameters = Values()) {
    return count_put("ppc750gx", row, of(Signal::load_return, load_miss(100, 100 + cycles)), parameters);
  };
  EXPECT_EQ(latency(20).expected, 0u);
  EXPECT_EQ(latency(20).occurrences, 1u) << "a miss, whatever its latency";
  EXPECT_EQ(latency(21).expected, 1u);
  EXPECT_EQ(latency(19, Values{{"pmu.threshold_compare", 1}}).expected, 0u);
  EXPECT_EQ(latency(20, Values{{"pmu.threshold_compare", 1}}).expected, 1u);
}

TEST(Ppc750gxEvents, LoadMissesThatAreNotTracked) {
  const Row row{"L1_LOAD_MISSES", "", nothing(), nothing(), 1, threshold_20};
  const auto count_of = [&](const RequestRecord& load, const ParameterLookup& parameters) {
    return count_put("ppc750gx", row, of(Signal::load_return, load), parameters).expected;
  };
  const auto behind = load_miss_but([](RequestRecord& r) { r.oldest_in_queue = false; });
  const auto crossing = load_miss_but([](RequestRecord& r) { r.crosses_word = true; });
  const auto multiple = load_miss_but([](RequestRecord& r) { r.multiple_or_string = true; });
  const Values queue_any = {{"pmu.threshold_queue", 1}}, untracked = {{"pmu.threshold_untracked", 1}};
  EXPECT_EQ(count_of(behind, Values()), 0u);
  EXPECT_EQ(count_of(behind, untracked), 0u);
  EXPECT_EQ(count_of(behind, queue_any), 1u);
  for (const RequestRecord& load : {crossing, multiple}) {
    EXPECT_EQ(count_of(load, Values()), 0u);
    EXPECT_EQ(count_of(load, queue_any), 0u);
    EXPECT_EQ(count_of(load, untracked), 1u);
  }
}

TEST(Ppc750gxEvents, Choices) {
  InstructionRecord wrong_path;
  wrong_path.wrong_path = true;
  const Row dispatched{"INSTRUCTIONS_DISPATCHED", "", of(Signal::dispatch, wrong_path), nothing()};
  EXPECT_EQ(count_put("ppc750gx", dispatched, dispatched.hit).expected, 1u);
  const Row mispredicted{"MISPREDICTED_BRANCHES", "", signal(Signal::branch_resolved, predicted), nothing()};
  EXPECT_EQ(count_put("ppc750gx", mispredicted, mispredicted.hit, Values{{"pmu.pmc4_8", 1}}).expected, 0u);
}

}  // namespace
}  // namespace pmusim::oracle::ppc750gx
