// Events of the IBM 750GX and 750GL, by name: when each occurs. IBM PowerPC 750GX and 750GL RISC
// Microprocessor User's Manual, tables 11-2 to 11-5 and section 11.4; the names are perfctr's.

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {

namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
namespace d = activity::detail;

// --- L2 ---------------------------------------------------------------------------------------------
// The write of a victim to L2 is not an instruction's request.
Classes l2_access_hits(const EventSite& s) {
  const bool counts = s.has(d::lookup_hit) || s.choices.l2_lookups_all;
  return counts && !s.any(d::access_writeback) ? counted : not_counted;
}
Classes cache_operation_hits_l2(const EventSite& s) {
  return s.has(d::lookup_hit | d::access_cache_operation) ? counted : not_counted;
}
// A line that an L1 requests and the L2 does not hold; cache operations do not request a line.
Classes line_not_in_l2(const EventSite& s, bool data_side) {
  return s.any(d::side_data) == data_side && !s.any(d::lookup_hit | d::access_writeback | d::access_cache_operation)
             ? counted
             : not_counted;
}
Classes l2_instruction_miss(const EventSite& s) { return line_not_in_l2(s, false); }
Classes l2_data_miss(const EventSite& s) { return line_not_in_l2(s, true); }

constexpr std::uint16_t evicted(std::uint16_t cache, LineState state) {
  return static_cast<std::uint16_t>(cache | static_cast<unsigned>(state) << d::evict_state_shift);
}
constexpr std::uint16_t evicted_mask = d::cache_mask | 7u << d::evict_state_shift;
constexpr std::uint16_t modified_l1d_to_l2 = evicted(d::cache_l1d, LineState::modified) | d::evict_to_l2;
constexpr std::uint16_t modified_l2_replaced = evicted(d::cache_l2, LineState::modified) | d::evict_replacement;

// --- L1D --------------------------------------------------------------------------------------------
// First detection, by a load or store instruction; by choice, also by those that wait for the line.
Classes load_or_store_misses(const EventSite& s) {
  const bool demand = s.any(d::access_load | d::access_store) &&
                      !s.any(d::access_cache_operation | d::access_prefetch | d::access_walk | d::access_writeback);
  const bool waits = s.choices.pending_misses_too && s.has(d::lookup_pending);
  return demand && (s.has(d::lookup_miss) || waits) ? counted : not_counted;
}

// The miss queue tracks what sits in position 0 and neither crosses a word nor is a multiple or string access.
Classes tracked_load_returns(const EventSite& s) {
  const RequestRecord& load = s.request();
  if (!load.oldest_in_queue && !s.choices.threshold_any_position) return not_counted;
  const bool untracked = load.crosses_word || load.multiple_or_string;
  return untracked && !s.choices.threshold_all_accesses ? not_counted : counted;
}
Classes latency_above_threshold(const EventSite& s) {
  const Cycle start = s.request().start + (s.choices.latency_from_allocation ? 1 : 0);
  const Cycle end = s.request().end + (s.choices.latency_to_line ? s.request().fill_lag : 0);
  const Cycle latency = end - start;
  const bool above = s.choices.threshold_reached_counts ? latency >= s.asked.threshold : latency > s.asked.threshold;
  return above ? any_class : not_counted;
}

// --- instructions -----------------------------------------------------------------------------------
Classes load_or_store(const EventSite& s) {
  const InstructionRecord& i = s.instruction();
  if (i.has(Trait::cache_operation)) return s.choices.cache_operations_too ? counted : not_counted;
  if (s.choices.words_of_multiples && (i.has(Trait::multiple) || i.has(Trait::string))) return not_counted;
  return i.has(Trait::load) || i.has(Trait::store) ? counted : not_counted;
}
Classes reservation_intact(const EventSite& s) {
  const InstructionRecord& i = s.instruction();
  return i.has(Trait::store_conditional) && i.conditional_success ? counted : not_counted;
}
template <Unit unit>
Classes by_unit(const EventSite& s) {
  return s.instruction().unit == unit ? counted : not_counted;
}
Classes by_integer_unit(const EventSite& s) {
  const Unit unit = s.instruction().unit;
  return unit == Unit::integer || unit == Unit::integer_1 || unit == Unit::integer_2 ? counted : not_counted;
}
// EA[0:29] = IABR[0:29] and IABR[TE] = MSR[IR]; BE does not matter.
Classes matches_iabr(const EventSite& s) {
  const auto word = [](std::uint64_t address) { return static_cast<std::uint32_t>(address) >> 2; };
  const bool translated = (value_of(s.states, State::msr) & msr::ir) != 0;
  const bool wants_translated = (s.asked.breakpoint & breakpoint_translation) != 0;
  if (word(s.instruction().ip) != word(s.asked.address)) return not_counted;
  return s.choices.breakpoint_everywhere || translated == wants_translated ? counted : not_counted;
}

// --- branches ---------------------------------------------------------------------------------------
Classes mispredicted(const EventSite& s) {
  return s.any(d::branch_correct) || s.choices.mispredicts_reserved ? not_counted : counted;
}
// Predicted taken and taken; by choice, whatever the outcome.
Classes predicted_taken(const EventSite& s) {
  const bool predicted = s.has(d::branch_conditional | d::branch_predicted_taken);
  return predicted && (s.any(d::branch_taken) || s.choices.taken_when_predicted) ? counted : not_counted;
}
constexpr std::uint16_t level_and_outcome = d::branch_level_2 | d::branch_correct;

// --- the clock --------------------------------------------------------------------------------------
bool every_cycle(const StateValues&, const Choices&) { return true; }
bool every_cycle_if_chosen(const StateValues&, const Choices& choices) { return choices.reserved_are_cycles; }
Classes fetch_that_misses(const EventSite& s) {
  return s.choices.fetch_miss_cycles || s.any(d::lookup_hit) ? not_counted : counted;
}
bool fetch_waits(const StateValues& states, const Choices& choices) {
  return choices.fetch_miss_cycles && value_of(states, State::fetch_stall) != 0;
}

std::vector<Event> defined() {
  return {
      {.name = "NOTHING"},
      {.name = "PROCESSOR_CYCLES", .level = every_cycle},
      {.name = "INSTRUCTIONS_COMPLETED", .rules = {{Signal::retire, each}}},
      {.name = "TBL_BIT_TRANSITIONS", .states = {State::bus_ratio, State::cpl}, .time_base = true},
      {.name = "INSTRUCTIONS_DISPATCHED", .rules = {{Signal::dispatch, each, nullptr, true}}},
      // PMC1
      {.name = "EIEIO_INSTRUCTIONS", .rules = {{Signal::retire, with_trait<Trait::eieio>}}},
      {.name = "ITLB_TABLE_SEARCH_CYCLES", .states = {State::table_walk}, .level = holds<State::table_walk, 1>},
      {.name = "L2_ACCESSES", .rules = {{Signal::l2_lookup, l2_access_hits}}},
      {.name = "EAS_DELIVERED", .rules = {{Signal::fetch, each}}},
      {.name = "IABR_MATCHES", .rules = {{Signal::retire, matches_iabr}}, .states = {State::msr}},
      {.name = "L1_LOAD_MISSES", .rules = {{Signal::load_return, tracked_load_returns, latency_above_threshold}}},
      {.name = "UNRESOLVED_BRANCHES",
       .rules = {{Signal::branch_handled, where<d::branch_conditional | d::branch_unresolved>}}},
      {.name = "SECOND_UNRESOLVED_BRANCH_STALLS",
       .states = {State::dispatch_hold},
       .level = holds<State::dispatch_hold, dispatch_hold::second_stream>},
      // PMC2
      {.name = "L1_ICACHE_MISSES", .rules = {{Signal::line_request, where<d::side_data, 0>}}},
      {.name = "ITLB_MISSES", .rules = {{Signal::translation, where<d::side_data | d::tlb_walk, d::tlb_walk>}}},
      {.name = "L2_I_MISSES", .rules = {{Signal::l2_lookup, l2_instruction_miss}}},
      {.name = "BRANCHES_NOT_TAKEN", .rules = {{Signal::branch_handled, where<d::branch_taken, 0>}}},
      {.name = "RESERVED_LOADS", .rules = {{Signal::retire, with_trait<Trait::load_reserve>}}},
      {.name = "LOADS_AND_STORES",
       .rules = {{Signal::retire, load_or_store},
                 {.signal = Signal::operation_retire, .classes = each, .if_chosen = &Choices::words_of_multiples}}},
      {.name = "SNOOPS", .rules = {{Signal::snoop, each}}},
      {.name = "L1_CASTOUTS_TO_L2",
       .rules = {{Signal::line_evict, where<evicted_mask | d::evict_to_l2, modified_l1d_to_l2>}}},
      {.name = "SYSTEM_UNIT_INSTRUCTIONS", .rules = {{Signal::retire, by_unit<Unit::system>}}},
      {.name = "INSTRUCTION_FETCH_MISSES",
       .rules = {{Signal::fetch, fetch_that_misses}},
       .states = {State::fetch_stall},
       .level = fetch_waits},
      {.name = "SPECULATIVE_BRANCHES",
       .rules = {{Signal::branch_resolved, where<level_and_outcome, d::branch_correct>}}},
      // PMC3
      {.name = "L1_DCACHE_MISSES", .rules = {{Signal::dcache_lookup, load_or_store_misses}}},
      {.name = "DTLB_MISSES", .rules = {{Signal::translation, where<d::side_data | d::tlb_walk>}}},
      {.name = "L2_DATA_MISSES", .rules = {{Signal::l2_lookup, l2_data_miss}}},
      {.name = "TAKEN_BRANCHES", .rules = {{Signal::branch_resolved, predicted_taken}}},
      {.name = "STORE_CONDITIONAL_INSTRUCTIONS", .rules = {{Signal::retire, with_trait<Trait::store_conditional>}}},
      {.name = "FPU_INSTRUCTIONS", .rules = {{Signal::retire, by_unit<Unit::fp>}}},
      {.name = "L2_CASTOUTS_MODIFIED_SNOOPS", .rules = {{Signal::snoop, where<d::snoop_pushed_modified_l2>}}},
      {.name = "L2_HITS", .rules = {{Signal::l2_lookup, cache_operation_hits_l2}}},
      {.name = "L1_LOAD_MISS_CYCLES", .states = {State::load_misses}, .level = nonzero<State::load_misses>},
      {.name = "SECOND_STREAM_RESOLVED_BRANCHES", .rules = {{Signal::branch_resolved, where<level_and_outcome>}}},
      {.name = "BPU_LR_CR_STALL_CYCLES",
       .states = {State::branch_unit},
       .level = holds<State::branch_unit, branch_wait::link_or_condition>},
      // PMC4
      {.name = "L2_CASTOUTS",
       .rules = {{Signal::line_evict, where<evicted_mask | d::evict_replacement, modified_l2_replaced>},
                 {Signal::snoop, where<d::snoop_pushed_modified_l2>}}},
      {.name = "DTLB_TABLE_SEARCH_CYCLES", .states = {State::table_walk}, .level = holds<State::table_walk, 2>},
      {.name = "MISPREDICTED_BRANCHES", .rules = {{Signal::branch_resolved, mispredicted}}},
      {.name = "STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", .rules = {{Signal::retire, reservation_intact}}},
      {.name = "SYNC_INSTRUCTIONS", .rules = {{Signal::retire, with_trait<Trait::sync>}}},
      {.name = "SNOOP_RETRIES", .rules = {{Signal::snoop, where<d::snoop_retried>}}},
      {.name = "INTEGER_OPERATIONS", .rules = {{Signal::retire, by_integer_unit}}},
      {.name = "BPU_BLOCKED_CYCLES",
       .states = {State::branch_unit},
       .level = holds<State::branch_unit, branch_wait::both_levels_used>},
  };
}

/// Reserved selectors of one counter: the counter holds.
struct Reserved {
  unsigned counter, first, last;
};
constexpr Reserved reserved[] = {{1, 13, 24}, {2, 9, 9}, {2, 17, 20}, {3, 9, 9},  {3, 14, 14},
                                 {3, 18, 31}, {4, 7, 7}, {4, 9, 9},   {4, 15, 31}};

// What manuals of related processors and an older 750 manual print for reserved selectors; each counts only by choice.
std::vector<Event> reserved_with_meaning() {
  return {
      {.name = "PM_RSVD_1_13",
       .rules = {{.signal = Signal::fetch,
                  .classes = where<d::lookup_hit, 0>,
                  .if_chosen = &Choices::fetch_misses_on_13}}},
      {.name = "PM_RSVD_4_31",
       .rules = {{.signal = Signal::dcache_lookup,
                  .classes = load_or_store_misses,
                  .if_chosen = &Choices::data_misses_on_31}}},
      {.name = "PM_RSVD_2_9",
       .states = {State::msr},
       .transition = Transition{State::msr, msr::pr, &Choices::level_toggles_on_9}},
      {.name = "PM_RSVD_3_9",
       .states = {State::msr},
       .transition = Transition{State::msr, msr::pm, &Choices::marked_toggles_user, msr::pr, msr::pr}},
      {.name = "PM_RSVD_4_9",
       .states = {State::msr},
       .transition = Transition{State::msr, msr::pm, &Choices::marked_toggles_supervisor, msr::pr, 0}},
  };
}

const std::vector<Event>& ppc750gx_events() {
  static std::deque<std::string> names;  // keeps the texts that the events' names point to
  static const std::vector<Event> all = [] {
    std::vector<Event> list = defined();
    const std::vector<Event> meant = reserved_with_meaning();
    for (const Reserved& r : reserved) {
      for (unsigned code = r.first; code <= r.last; ++code) {
        const std::string& name =
            names.emplace_back("PM_RSVD_" + std::to_string(r.counter) + "_" + std::to_string(code));
        const auto own = std::find_if(meant.begin(), meant.end(), [&](const Event& e) { return e.name == name; });
        list.push_back(own != meant.end() ? *own : Event{.name = name, .level = every_cycle_if_chosen});
      }
    }
    return list;
  }();
  return all;
}

// --- levels and marked processes, and the choices of the parameters -----------------------------------
// Bits of a privilege: user level (problem state), marked process.
constexpr Privilege user_level = 1, marked_process = 2;

bool admits_level(const Request& request, Privilege p, const Choices&) {
  const bool level = (p & user_level) != 0 ? request.user : request.kernel;
  return level && (!request.marked || *request.marked == ((p & marked_process) != 0));
}

Privilege ppc750gx_privilege(std::uint64_t msr, std::uint64_t, std::uint64_t) {
  return ((msr & activity::msr::pr) != 0 ? user_level : 0) | ((msr & activity::msr::pm) != 0 ? marked_process : 0);
}
void check_ppc750gx(const Request& r) {
  if (r.invert || r.edge) throw std::invalid_argument(r.event + ": the 750GX neither inverts nor detects edges");
  if (r.threshold > 63) throw std::invalid_argument(r.event + ": a threshold is 0 to 63 cycles");
}

constexpr ChoiceRow ppc750gx_rows[] = {
    {"pmu.tb_select", &Choices::time_base_reversed},
    {"pmu.threshold_compare", &Choices::threshold_reached_counts},
    {"pmu.threshold_queue", &Choices::threshold_any_position},
    {"pmu.threshold_untracked", &Choices::threshold_all_accesses},
    {"pmu.pmc4_8", &Choices::mispredicts_reserved},
    {"pmu.iabr_translation", &Choices::breakpoint_everywhere},
    {"pmu.threshold_start", &Choices::latency_from_allocation},
    {"pmu.pmc1_7", &Choices::l2_lookups_all},
    {"pmu.pmc2_11", &Choices::cache_operations_too},
    {"pmu.pmc1_13", &Choices::fetch_misses_on_13},
    {"pmu.pmc4_31", &Choices::data_misses_on_31},
    {"pmu.pmc2_9", &Choices::level_toggles_on_9},
    {"pmu.pmc3_9", &Choices::marked_toggles_user},
    {"pmu.pmc4_9", &Choices::marked_toggles_supervisor},
    {"pmu.pmc3_5", &Choices::pending_misses_too},
    {"pmu.pmc3_8", &Choices::taken_when_predicted},
    {"pmu.pmc2_15", &Choices::fetch_miss_cycles},
    {"pmu.pmc2_11_multiple", &Choices::words_of_multiples},
    {"pmu.threshold_end", &Choices::latency_to_line},
    {"pmu.reserved_code", &Choices::reserved_are_cycles},
};

// A 750GX counter adds the occurrences; the threshold belongs to one event's rule, not to the counter.
const Family ppc750gx_family = {.name = "ppc750gx",
                                .privilege_state = State::msr,
                                .gate_state = State::msr,
                                .privilege = ppc750gx_privilege,
                                .privileges = 4,
                                .admits = admits_level,
                                .events = ppc750gx_events,
                                .choices = choices_of<ppc750gx_rows>,
                                .check = check_ppc750gx};

}  // namespace

const Family& ppc750gx::family() { return ppc750gx_family; }

}  // namespace pmusim::oracle
