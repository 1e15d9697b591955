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
  if (context_of(context).behaviour->iabr_any_translation) return true;
  const bool translated = (block.state_at(State::msr, block.begin + o.at) & activity::msr::ir) != 0;
  return translated == ((iabr & iabr_te) != 0);
}

// Section 11.5: only loads in queue position 0 are monitored; loads that cannot be tracked accurately are excluded.
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

constexpr std::uint16_t modified = static_cast<std::uint16_t>(activity::LineState::modified) << d::evict_state_shift;
constexpr std::uint16_t evict_state = 7 << d::evict_state_shift;
constexpr std::uint64_t all_bits = ~std::uint64_t{0};
constexpr std::uint16_t references = d::access_load | d::access_store;

// Functions that make the lines of the table.
constexpr Line occurs(Signal signal) { return {.signal = signal}; }
constexpr Line holds(State state, std::uint64_t bits) { return {.state = state, .level_mask = bits}; }
constexpr Line completes(Line::Test test) { return {.signal = Signal::retire, .test = test}; }
template <class... Traits>
constexpr Line completes(Traits... traits) {
  return {.signal = Signal::retire, .has = (0u | ... | bit(traits))};
}
constexpr Line completes_without(std::uint32_t traits) {
  return {.signal = Signal::retire, .has = bit(Trait::load) | bit(Trait::store), .lacks = traits};
}
/// Detail bits `on` are set and `off` are clear.
constexpr Line with(Signal signal, unsigned on, unsigned off = 0, unsigned any = 0) {
  return {.signal = signal,
          .mask = static_cast<std::uint16_t>(on | off),
          .value = static_cast<std::uint16_t>(on),
          .any = static_cast<std::uint16_t>(any)};
}

// Named lines of the table.
constexpr Line cycle{.state = State::clock};
constexpr Line fetch_miss{.signal = Signal::fetch, .any = d::lookup_miss | d::lookup_pending};
constexpr Line data_miss =
    with(Signal::dcache_lookup, d::lookup_miss, d::access_walk | d::access_cache_operation, references);
constexpr Line pending_data_miss =
    with(Signal::dcache_lookup, d::lookup_pending, d::access_walk | d::access_cache_operation, references);
constexpr Line l2_lookup_hit = with(Signal::l2_lookup, d::lookup_hit, d::access_writeback);
constexpr Line l2_lookup_any = with(Signal::l2_lookup, 0, d::access_writeback);
constexpr Line l2_fetch_miss = with(Signal::l2_lookup, 0, d::side_data, d::lookup_miss | d::lookup_pending);
constexpr Line l2_data_miss = with(Signal::l2_lookup, d::side_data, d::access_writeback | d::access_cache_operation,
                                   d::lookup_miss | d::lookup_pending);
constexpr Line l2_cache_operation_hit = with(Signal::l2_lookup, d::lookup_hit | d::access_cache_operation);
constexpr Line code_walk = with(Signal::translation, d::tlb_walk, d::side_data);
constexpr Line data_walk = with(Signal::translation, d::tlb_walk | d::side_data);
constexpr Line l1i_request = with(Signal::line_request, 0, d::side_data);
constexpr Line snoop_push = with(Signal::snoop, d::snoop_pushed_modified_l2);
constexpr Line snoop_retry = with(Signal::snoop, d::snoop_retried);
constexpr Line l1d_castout{.signal = Signal::line_evict,
                           .mask = d::cache_mask | evict_state | d::evict_to_l2,
                           .value = d::cache_l1d | modified | d::evict_to_l2};
constexpr Line l2_castout{.signal = Signal::line_evict,
                          .mask = d::cache_mask | evict_state,
                          .value = d::cache_l2 | modified,
                          .any = d::evict_replacement};
constexpr Line unresolved = with(Signal::branch_handled, d::branch_conditional | d::branch_unresolved);
constexpr Line not_taken = with(Signal::branch_handled, 0, d::branch_taken);
constexpr Line predicted_taken = with(Signal::branch_resolved, d::branch_conditional | d::branch_predicted_taken);
constexpr Line predicted_and_taken =
    with(Signal::branch_resolved, d::branch_conditional | d::branch_predicted_taken | d::branch_taken);
constexpr Line first_level_right =
    with(Signal::branch_resolved, d::branch_predicted | d::branch_correct, d::branch_level_2);
constexpr Line second_level_right =
    with(Signal::branch_resolved, d::branch_predicted | d::branch_correct | d::branch_level_2);
constexpr Line mispredicted{.signal = Signal::branch_resolved, .test = prediction_failed};
constexpr Line load_above_threshold{.signal = Signal::load_return, .test = above_threshold};
constexpr Line words_transferred{.signal = Signal::operation_retire, .most = 64};
constexpr Line load_or_store = completes_without(bit(Trait::cache_operation));
constexpr Line single_load_or_store =
    completes_without(bit(Trait::cache_operation) | bit(Trait::multiple) | bit(Trait::string));
constexpr Line second_stream_stall = holds(State::dispatch_hold, activity::dispatch_hold::second_stream);
constexpr Line link_or_condition_wait = holds(State::branch_unit, activity::branch_wait::link_or_condition);
constexpr Line both_levels_used = holds(State::branch_unit, activity::branch_wait::both_levels_used);
constexpr Line reserved_store{.signal = Signal::retire, .has = bit(Trait::store_conditional), .test = reservation_held};
constexpr MsrToggle pr_changes{activity::msr::pr};
constexpr MsrToggle pm_changes_in_user{activity::msr::pm, activity::msr::pr, activity::msr::pr};
constexpr MsrToggle pm_changes_in_supervisor{activity::msr::pm, activity::msr::pr, 0};

using B = Behaviour;

// IBM PowerPC 750GX/750GL User's Manual v1.2, section 11.4 and Tables 11-2 to 11-5; mnemonics from Linux perfctr. PMC 0
// stands for all four counters. The rows of a code are summed. `only if`: the behaviour that connects the row.
// clang-format off
constexpr auto table = std::to_array<EventRow>({
  // PMC code  line, only if                                        // code bits  mnemonic
  // Section 11.4: codes that all counters have
    {0,  1, cycle},                                                 // 0 0001     PROCESSOR_CYCLES
    {0,  2, occurs(Signal::retire)},                                // 0 0010     INSTRUCTIONS_COMPLETED
    {0,  3, time_base_edge},                                        // 0 0011     TBL_BIT_TRANSITIONS
    {0,  4, occurs(Signal::dispatch)},                              // 0 0100     INSTRUCTIONS_DISPATCHED

  // Table 11-2: PMC1
    {1,  5, completes(Trait::eieio)},                               // 000 0101   EIEIO_INSTRUCTIONS
    {1,  6, holds(State::table_walk, 1)},                           // 000 0110   ITLB_TABLE_SEARCH_CYCLES
    {1,  7, l2_lookup_hit, &B::l2_hits_only},                       // 000 0111   L2_ACCESSES
    {1,  7, l2_lookup_any, unless(&B::l2_hits_only)},               // 000 0111   L2_ACCESSES
    {1,  8, occurs(Signal::fetch)},                                 // 000 1000   EAS_DELIVERED
    {1,  9, completes(matches_iabr)},                               // 000 1001   IABR_MATCHES
    {1, threshold_code, load_above_threshold},                      // 000 1010   L1_LOAD_MISSES
    {1, 11, unresolved},                                            // 000 1011   UNRESOLVED_BRANCHES
    {1, 12, second_stream_stall},                                   // 000 1100   SECOND_UNRESOLVED_BRANCH_STALLS
    {1, 13, fetch_miss, &B::pmc1_13_counts},                        // 000 1101   reserved

  // Table 11-3: PMC2
    {2,  5, l1i_request},                                           // 00 0101    L1_ICACHE_MISSES
    {2,  6, code_walk},                                             // 00 0110    ITLB_MISSES
    {2,  7, l2_fetch_miss},                                         // 00 0111    L2_I_MISSES
    {2,  8, not_taken},                                             // 00 1000    BRANCHES_NOT_TAKEN
    {2,  9, pr_changes, &B::pmc2_9_counts},                         // 00 1001    reserved
    {2, 10, completes(Trait::load_reserve)},                        // 00 1010    RESERVED_LOADS
    {2, 11, load_or_store, &B::multiples_once},                     // 00 1011    LOADS_AND_STORES
    {2, 11, single_load_or_store, unless(&B::multiples_once)},      // 00 1011    LOADS_AND_STORES
    {2, 11, words_transferred, unless(&B::multiples_once)},         // 00 1011    LOADS_AND_STORES
    {2, 11, completes(Trait::cache_operation), &B::cache_operations_count},  // 00 1011    LOADS_AND_STORES
    {2, 12, occurs(Signal::snoop)},                                 // 00 1100    SNOOPS
    {2, 13, l1d_castout},                                           // 00 1101    L1_CASTOUTS_TO_L2
    {2, 14, completes(executed_by<Unit::system>)},                  // 00 1110    SYSTEM_UNIT_INSTRUCTIONS
    {2, 15, fetch_miss, &B::fetch_misses_occur},                    // 00 1111    INSTRUCTION_FETCH_MISSES
    {2, 15, holds(State::fetch_stall, all_bits), unless(&B::fetch_misses_occur)},  // 00 1111    INSTRUCTION_FETCH_MISSES
    {2, 16, first_level_right},                                     // 01 0000    SPECULATIVE_BRANCHES

  // Table 11-4: PMC3
    {3,  5, data_miss},                                             // 0 0101     L1_DCACHE_MISSES
    {3,  5, pending_data_miss, &B::pending_misses},                 // 0 0101     L1_DCACHE_MISSES
    {3,  6, data_walk},                                             // 0 0110     DTLB_MISSES
    {3,  7, l2_data_miss},                                          // 0 0111     L2_DATA_MISSES
    {3,  8, predicted_and_taken},                                   // 0 1000     TAKEN_BRANCHES
    {3,  8, predicted_taken, &B::taken_when_predicted},             // 0 1000     TAKEN_BRANCHES
    {3,  9, pm_changes_in_user, &B::pmc3_9_counts},                 // 0 1001     reserved
    {3, 10, completes(Trait::store_conditional)},                   // 0 1010     STORE_CONDITIONAL_INSTRUCTIONS
    {3, 11, completes(executed_by<Unit::fp>)},                      // 0 1011     FPU_INSTRUCTIONS
    {3, 12, snoop_push},                                            // 0 1100     L2_CASTOUTS_MODIFIED_SNOOPS
    {3, 13, l2_cache_operation_hit},                                // 0 1101     L2_HITS
    {3, 15, holds(State::load_misses, all_bits)},                   // 0 1111     L1_LOAD_MISS_CYCLES
    {3, 16, second_level_right},                                    // 1 0000     SECOND_STREAM_RESOLVED_BRANCHES
    {3, 17, link_or_condition_wait},                                // 1 0001     BPU_LR_CR_STALL_CYCLES

  // Table 11-5: PMC4
    {4,  5, l2_castout},                                            // 00101      L2_CASTOUTS
    {4,  5, snoop_push},                                            // 00101      L2_CASTOUTS
    {4,  6, holds(State::table_walk, 2)},                           // 00110      DTLB_TABLE_SEARCH_CYCLES
    {4,  8, mispredicted},                                          // 01000      MISPREDICTED_BRANCHES
    {4,  9, pm_changes_in_supervisor, &B::pmc4_9_counts},           // 01001      reserved
    {4, 10, reserved_store},                                        // 01010      STORE_CONDITIONAL_..._INTACT
    {4, 11, completes(Trait::sync)},                                // 01011      SYNC_INSTRUCTIONS
    {4, 12, snoop_retry},                                           // 01100      SNOOP_RETRIES
    {4, 13, completes(executed_by<Unit::integer, Unit::integer_1, Unit::integer_2>)},  // 01101 INTEGER_OPERATIONS
    {4, 14, both_levels_used},                                      // 01110      BPU_BLOCKED_CYCLES
    {4, 31, data_miss, &B::pmc4_31_counts},                         // 11111      reserved
    {4, 31, pending_data_miss, when(&B::pmc4_31_counts) && when(&B::pending_misses)},  // 11111      reserved
});
// clang-format on

}  // namespace

const Line& every_cycle() { return cycle; }
std::span<const EventRow> multiplexer() { return table; }

}  // namespace pmusim::pmu::ppc750gx
