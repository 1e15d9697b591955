#include "models/ppc750gx/events.h"

#include <array>

#include "models/ppc750gx/registers.h"

namespace pmusim::pmu::ppc750gx {
namespace {

namespace d = activity::detail;
using activity::Block;
using activity::Occurrence;
using activity::Signal;
using activity::State;
using activity::Trait;
using activity::Unit;

const EventContext& context_of(const TermContext& context) { return static_cast<const EventContext&>(context); }

template <Unit... units>
bool executed_by(const Block& block, const Occurrence& o, const TermContext&) {
  const auto* const instruction = instruction_of(block, o);
  return instruction != nullptr && ((instruction->unit == units) || ...);
}

bool counts_as_dispatched(const Block& block, const Occurrence& o, const TermContext& context) {
  if (!context_of(context).behaviour->exclude_wrong_path) return true;
  const auto* const instruction = instruction_of(block, o);
  return instruction == nullptr || !instruction->wrong_path;
}

bool reservation_held(const Block& block, const Occurrence& o, const TermContext&) {
  const auto* const instruction = instruction_of(block, o);
  return instruction != nullptr && instruction->conditional_success;
}

// IABR[0:29] is a word address and IABR[TE] must be equal to MSR[IR].
bool matches_iabr(const Block& block, const Occurrence& o, const TermContext& context) {
  const auto* const instruction = instruction_of(block, o);
  const std::uint32_t iabr = context_of(context).iabr;
  if (instruction == nullptr || ((static_cast<std::uint32_t>(instruction->ip) ^ iabr) & ~std::uint32_t{3}) != 0)
    return false;
  const Behaviour& behaviour = *context_of(context).behaviour;
  if (behaviour.iabr_needs_be && (iabr & iabr_be) == 0) return false;
  if (behaviour.iabr_any_translation) return true;
  const bool translated = (block.state_at(State::msr, block.begin + o.at) & activity::msr::ir) != 0;
  return translated == ((iabr & iabr_te) != 0);
}

// Section 11.5: only loads in queue position 0 are watched; what cannot be tracked accurately is left out.
bool above_threshold(const Block& block, const Occurrence& o, const TermContext& context) {
  const auto* const load = request_of(block, o);
  const EventContext& c = context_of(context);
  if (load == nullptr) return false;
  if (!load->oldest_in_queue && !c.behaviour->threshold_any_position) return false;
  if ((load->crosses_word || load->multiple_or_string) && !c.behaviour->threshold_counts_untracked) return false;
  const activity::Cycle end = load->end + (c.behaviour->threshold_to_line ? load->fill_lag : 0);
  const activity::Cycle latency = end - load->start - (c.behaviour->threshold_from_allocation ? 1 : 0);
  return c.behaviour->threshold_greater_equal ? latency >= c.threshold : latency > c.threshold;
}

bool prediction_failed(const Block&, const Occurrence& o, const TermContext& context) {
  return (o.detail & d::branch_correct) == 0 && !context_of(context).behaviour->pmc4_8_holds;
}

constexpr std::uint16_t absent = d::lookup_miss | d::lookup_pending;
constexpr std::uint16_t modified = static_cast<std::uint16_t>(activity::LineState::modified) << d::evict_state_shift;
constexpr std::uint16_t evict_state = 7 << d::evict_state_shift;

constexpr Line pending_miss{.signal = Signal::dcache_lookup,
                            .mask = d::lookup_pending | d::access_walk | d::access_cache_operation,
                            .value = d::lookup_pending,
                            .any = d::access_load | d::access_store};

// User's Manual section 11.4 (codes 0-4 are common to all counters) and Tables 11-2 to 11-5.
constexpr auto table = std::to_array<Entry>({
    {0, 1, false, {.state = State::clock}},
    {0, 2, false, {.signal = Signal::retire}},
    {0, 3, true},
    {0, 4, false, {.signal = Signal::dispatch, .test = counts_as_dispatched}},
    {0, 4, false, {.signal = Signal::fold, .test = counts_as_dispatched}, &Behaviour::folded_are_dispatched},

    {1, 5, false, {.signal = Signal::retire, .has = bit(Trait::eieio)}},
    {1, 6, false, {.state = State::table_walk, .level_mask = 1}},
    {1,
     7,
     false,
     {.signal = Signal::l2_lookup, .mask = d::lookup_hit | d::access_writeback, .value = d::lookup_hit},
     &Behaviour::l2_hits_only},
    {1, 7, false, {.signal = Signal::l2_lookup, .mask = d::access_writeback, .value = 0}, &Behaviour::l2_all_lookups},
    {1, 8, false, {.signal = Signal::fetch}},
    {1, 9, false, {.signal = Signal::retire, .test = matches_iabr}},
    {1, threshold_code, false, {.signal = Signal::load_return, .test = above_threshold}},
    {1,
     11,
     false,
     {.signal = Signal::branch_handled,
      .mask = d::branch_conditional | d::branch_unresolved,
      .value = d::branch_conditional | d::branch_unresolved}},
    {1, 12, false, {.state = State::dispatch_hold, .level_mask = activity::dispatch_hold::second_stream}},
    {1, 13, false, {.signal = Signal::fetch, .any = absent}, &Behaviour::pmc1_13_counts},

    {2, 5, false, {.signal = Signal::line_request, .mask = d::side_data, .value = 0}},
    {2, 6, false, {.signal = Signal::translation, .mask = d::side_data | d::tlb_walk, .value = d::tlb_walk}},
    {2, 7, false, {.signal = Signal::l2_lookup, .mask = d::side_data, .value = 0, .any = absent}},
    {2, 8, false, {.signal = Signal::branch_handled, .mask = d::branch_taken, .value = 0}},
    {2, 9, false, {}, &Behaviour::pmc2_9_counts, {activity::msr::pr}},
    {2, 10, false, {.signal = Signal::retire, .has = bit(Trait::load_reserve)}},
    {2,
     11,
     false,
     {.signal = Signal::retire, .has = bit(Trait::load) | bit(Trait::store), .lacks = bit(Trait::cache_operation)},
     &Behaviour::multiples_once},
    {2,
     11,
     false,
     {.signal = Signal::retire,
      .has = bit(Trait::load) | bit(Trait::store),
      .lacks = bit(Trait::cache_operation) | bit(Trait::multiple) | bit(Trait::string)},
     &Behaviour::multiples_by_word},
    {2, 11, false, {.signal = Signal::operation_retire, .most = 64}, &Behaviour::multiples_by_word},
    {2, 11, false, {.signal = Signal::retire, .has = bit(Trait::cache_operation)}, &Behaviour::cache_operations_count},
    {2, 12, false, {.signal = Signal::snoop}},
    {2,
     13,
     false,
     {.signal = Signal::line_evict,
      .mask = d::cache_mask | evict_state | d::evict_to_l2,
      .value = d::cache_l1d | modified | d::evict_to_l2}},
    {2, 14, false, {.signal = Signal::retire, .test = executed_by<Unit::system>}},
    {2, 15, false, {.signal = Signal::fetch, .any = absent}, &Behaviour::fetch_misses_occur},
    {2, 15, false, {.state = State::fetch_stall}, &Behaviour::fetch_misses_last},
    {2,
     16,
     false,
     {.signal = Signal::branch_resolved,
      .mask = d::branch_predicted | d::branch_correct | d::branch_level_2,
      .value = d::branch_predicted | d::branch_correct}},

    {3,
     5,
     false,
     {.signal = Signal::dcache_lookup,
      .mask = d::lookup_miss | d::access_walk | d::access_cache_operation,
      .value = d::lookup_miss,
      .any = d::access_load | d::access_store}},
    {3, 5, false, pending_miss, &Behaviour::pending_misses},
    {3,
     6,
     false,
     {.signal = Signal::translation, .mask = d::side_data | d::tlb_walk, .value = d::side_data | d::tlb_walk}},
    {3,
     7,
     false,
     {.signal = Signal::l2_lookup,
      .mask = d::side_data | d::access_writeback | d::access_cache_operation,
      .value = d::side_data,
      .any = absent}},
    {3,
     8,
     false,
     {.signal = Signal::branch_resolved,
      .mask = d::branch_conditional | d::branch_predicted_taken | d::branch_taken,
      .value = d::branch_conditional | d::branch_predicted_taken | d::branch_taken}},
    {3,
     8,
     false,
     {.signal = Signal::branch_resolved,
      .mask = d::branch_conditional | d::branch_predicted_taken,
      .value = d::branch_conditional | d::branch_predicted_taken},
     &Behaviour::taken_when_predicted},
    {3, 9, false, {}, &Behaviour::pmc3_9_counts, {activity::msr::pm, activity::msr::pr, activity::msr::pr}},
    {3, 10, false, {.signal = Signal::retire, .has = bit(Trait::store_conditional)}},
    {3, 11, false, {.signal = Signal::retire, .test = executed_by<Unit::fp>}},
    {3,
     12,
     false,
     {.signal = Signal::snoop, .mask = d::snoop_pushed_modified_l2, .value = d::snoop_pushed_modified_l2}},
    {3,
     13,
     false,
     {.signal = Signal::l2_lookup,
      .mask = d::lookup_hit | d::access_cache_operation,
      .value = d::lookup_hit | d::access_cache_operation}},
    {3, 15, false, {.state = State::load_misses}},
    {3,
     16,
     false,
     {.signal = Signal::branch_resolved,
      .mask = d::branch_predicted | d::branch_correct | d::branch_level_2,
      .value = d::branch_predicted | d::branch_correct | d::branch_level_2}},
    {3, 17, false, {.state = State::branch_unit, .level_mask = activity::branch_wait::link_or_condition}},

    {4,
     5,
     false,
     {.signal = Signal::line_evict,
      .mask = d::cache_mask | evict_state,
      .value = d::cache_l2 | modified,
      .any = d::evict_replacement}},
    {4, 5, false, {.signal = Signal::snoop, .mask = d::snoop_pushed_modified_l2, .value = d::snoop_pushed_modified_l2}},
    {4, 6, false, {.state = State::table_walk, .level_mask = 2}},
    {4, 8, false, {.signal = Signal::branch_resolved, .test = prediction_failed}},
    {4, 9, false, {}, &Behaviour::pmc4_9_counts, {activity::msr::pm, activity::msr::pr, 0}},
    {4, 10, false, {.signal = Signal::retire, .has = bit(Trait::store_conditional), .test = reservation_held}},
    {4, 11, false, {.signal = Signal::retire, .has = bit(Trait::sync)}},
    {4, 12, false, {.signal = Signal::snoop, .mask = d::snoop_retried, .value = d::snoop_retried}},
    {4, 13, false, {.signal = Signal::retire, .test = executed_by<Unit::integer, Unit::integer_1, Unit::integer_2>}},
    {4, 14, false, {.state = State::branch_unit, .level_mask = activity::branch_wait::both_levels_used}},
    {4,
     31,
     false,
     {.signal = Signal::dcache_lookup,
      .mask = d::lookup_miss | d::access_walk | d::access_cache_operation,
      .value = d::lookup_miss,
      .any = d::access_load | d::access_store},
     &Behaviour::pmc4_31_counts},
    {4, 31, false, pending_miss, &Behaviour::pmc4_31_pending},
});

constexpr Line clock_line{.state = State::clock};

}  // namespace

const Line& every_cycle() { return clock_line; }
std::span<const Entry> multiplexer() { return table; }

}  // namespace pmusim::pmu::ppc750gx
