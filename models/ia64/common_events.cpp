#include <algorithm>

#include "models/ia64/event_rows.h"
#include "models/ia64/filters.h"

namespace pmusim::pmu::ia64 {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
namespace f = filters;
namespace fetch = activity::ia64::fetch_buffers;
using activity::Signal;
using activity::State;
using activity::ia64::BusKind;
using Q = Qualifier;
using T = Type;
using namespace rows;

/// Sets of unit masks: `two_bits` 1 to 3, `every` 0 to 15.
constexpr std::uint16_t two_bits = 0x000e, every = 0xffff;
/// Unit masks of the lost-bandwidth events.
constexpr std::uint16_t lost_reasons = 0x3ff3;

/// Bus transactions of a kind.
constexpr Occurrences bus_kind(BusKind kind) {
  return with(Signal::bus_transaction, dd::bus_kind_mask, static_cast<unsigned>(kind));
}

// Codes and names: libpfm 3.10's event lists of both processors.
// clang-format off
constexpr Event table[] = {
    //  code, umasks, most, qualifier, type, set, input
    // Back end, by the stage that stalls
    row(0x00, 0x0007, 1, Q::none, T::active, no_set, level_of(State::back_end), f::back_end_bubble),      // BACK_END_BUBBLE_*
    row(0x01, 0x003f, 1, Q::none, T::active, no_set, level_of(State::back_end), f::register_stack_bubble),  // BE_RSE_BUBBLE_*
    row(0x02, 0x01ff, 1, Q::none, T::active, no_set, level_of(State::back_end), f::execute_bubble),       // BE_EXE_BUBBLE_*
    row(0x03, 1, 1, Q::address, T::active, no_set, of(Signal::safety_stall, d::trap_exception)),          // FP_TRUE_SIRSTALL
    row(0x04, 0x0007, 1, Q::none, T::active, no_set, level_of(State::back_end), f::flush_bubble),         // BE_FLUSH_BUBBLE_*
    row(0x05, 1, 1, Q::address, T::active, no_set, of(Signal::safety_stall, 0, d::trap_exception)),       // FP_FALSE_SIRSTALL
    row(0x06, 1, 1, Q::address, T::active, no_set, of(Signal::retire), f::failed_fchkf),                  // FP_FAILED_FCHKF

    // Retirement
    row(0x08, 0x0003, 6, Q::tag_by_umask, T::active, no_set, of_both(Signal::retire, Signal::ia32_retire), f::retired),  // IA64_*
    row(0x08, 0x000c, 6, Q::tag_by_umask, T::active, no_set, of(Signal::retire), f::retired),             // IA64_TAGGED_INST_RETIRED_IBRP_*
    row(0x11, 1, 1, Q::none, T::active, no_set, Source::branch_ring),                                     // BRANCH_EVENT / ETB_EVENT BRANCH_EVENT

    // Register stack engine and hardware page walker
    row(0x20, two_bits, 2, Q::data, T::active, no_set, of(Signal::access_retire), f::rse_reference),      // RSE_REFERENCES_RETIRED_*
    first_of_cycle(row(0x24, 1, 1, Q::none, T::active, no_set, of(Signal::retire), f::dirty_registers<6, 1>)),  // RSE_DIRTY_REGS_6
    first_of_cycle(row(0x26, 1, 1, Q::none, T::active, no_set, of(Signal::retire), f::frame_registers<6, 1>)),  // RSE_CURRENT_REGS_6
    first_of_cycle(row(0x28, 1, 7, Q::none, T::active, no_set, of(Signal::retire), f::dirty_registers<3, 7>)),  // RSE_DIRTY_REGS_5_TO_3
    first_of_cycle(row(0x29, 1, 7, Q::none, T::active, no_set, of(Signal::retire), f::dirty_registers<0, 7>)),  // RSE_DIRTY_REGS_2_TO_0
    first_of_cycle(row(0x2a, 1, 7, Q::none, T::active, no_set, of(Signal::retire), f::frame_registers<3, 7>)),  // RSE_CURRENT_REGS_5_TO_3
    first_of_cycle(row(0x2b, 1, 7, Q::none, T::active, no_set, of(Signal::retire), f::frame_registers<0, 7>)),  // RSE_CURRENT_REGS_2_TO_0
    row(0x32, 1, 1, Q::none, T::active, no_set, of(Signal::retire), f::rse_event),                        // RSE_EVENT_RETIRED

    // Instruction side and dispersal
    row(0x40, 1, 1, Q::address, T::active, no_set, of(Signal::fetch, 0, d::access_prefetch)),             // L1I_READS
    row(0x41, 1, 1, Q::fetch, T::floating, no_set, of(Signal::line_fill, 0, d::side_data)),               // L1I_FILLS
    row(0x42, 1, 1, Q::address, T::active, no_set, of(Signal::line_request, 0, d::side_data | d::access_prefetch)),  // L2_INST_DEMAND_READS / L2I_DEMAND_READS
    row(0x43, 1, 1, Q::none, T::floating, no_set, Source::fetch_ear),                                     // L1I_EAR_*
    row(0x44, 1, 1, Q::prefetch, T::active, no_set, of(Signal::fetch, d::access_prefetch)),               // L1I_PREFETCHES
    row(0x45, 1, 1, Q::prefetch, T::active, no_set, with(Signal::line_request, d::side_data | d::access_prefetch, d::access_prefetch)),  // L2_INST_PREFETCHES / L2I_PREFETCHES
    row(0x46, 1, 1, Q::fetch, T::active, no_set, of(Signal::bundle_pair_in)),                             // ISB_BUNPAIRS_IN
    row(0x47, two_bits, 1, Q::address, T::active, no_set, of(Signal::translation, 0, d::side_data), f::itlb_miss),  // ITLB_MISSES_FETCH_*
    row(0x48, 1, 1, Q::address, T::active, no_set, of(Signal::tlb_insert, 0, d::side_data)),              // L1ITLB_INSERTS_HPW
    row(0x49, 1, 1, Q::none, T::active, no_set, level_of(State::back_end), f::dispersal_stalled),         // DISP_STALLED
    row(0x4a, 1, 1, Q::data, T::causal, no_set, of(Signal::l1i_snoop)),                                   // L1I_SNOOP
    row(0x4b, 1, 1, Q::address, T::causal, no_set, of(Signal::tlb_purge)),                                // L1I_PURGE
    row(0x4d, 1, 6, Q::address, T::active, no_set, of(Signal::dispatch)),                                 // INST_DISPERSED
    row(0x4e, 0xfffe, 5, Q::address, T::active, no_set, of(Signal::syllable_held), f::not_dispersed),     // SYLL_NOT_DISPERSED_*
    row(0x4f, two_bits, 2, Q::address, T::active, no_set, of(Signal::syllable_held), f::overcounted),     // SYLL_OVERCOUNT_*

    // Retirement, branches and checks
    row(0x50, 1, 6, Q::tag, T::active, no_set, of(Signal::retire), f::nop),                               // NOPS_RETIRED
    row(0x51, 1, 6, Q::tag, T::active, no_set, of(Signal::retire), f::squashed),                          // PREDICATE_SQUASHED_RETIRED
    row(0x52, 1, 1, Q::none, T::active, no_set, of(Signal::access_retire), f::debug_fault),               // DATA_DEBUG_REGISTER_FAULT
    row(0x53, 1, 1, Q::none, T::active, no_set, of(Signal::retire), f::srlz),                             // SERIALIZATION_EVENTS
    row(0x54, every, 3, Q::tag, T::active, no_set, of(Signal::retire), f::branch_path),                   // BR_PATH_PRED_*
    row(0x55, two_bits, 1, Q::none, T::active, no_set, of(Signal::retire), f::failed_speculation_check),  // INST_FAILED_CHKS_RETIRED_*
    row(0x56, two_bits, 2, Q::data, T::active, no_set, of(Signal::retire), f::alat_check),                // INST_CHKA_LDC_ALAT_*
    row(0x57, two_bits, 1, Q::data, T::active, no_set, of(Signal::retire), f::failed_alat_check),         // INST_FAILED_CHKA_LDC_ALAT_*
    row(0x58, two_bits, 2, Q::data, T::active, no_set, of(Signal::alat_displace), f::alat_displaced),     // ALAT_CAPACITY_MISS_*
    row(0x5b, every, 3, Q::tag, T::active, no_set, of(Signal::retire), f::branch_outcome),                // BR_MISPRED_DETAIL_*
    row(0x5f, 1, 1, Q::prefetch, T::active, no_set, of(Signal::fetch, d::access_prefetch | dd::fetch_streaming)),  // L1I_STRM_PREFETCHES
    row(0x60, 1, 1, Q::none, T::causal, no_set, level_of(State::fetch_buffers), f::has_bit<fetch::full>),  // L1I_RAB_FULL
    row(0x61, 0x000f, 1, Q::tag, T::active, no_set, of(Signal::retire), f::back_end_mispredict),          // BE_BR_MISPRED_DETAIL_*
    row(0x63, 0xff0f, 3, Q::tag, T::active, no_set, of(Signal::retire), f::multiway_outcome),             // ENCBR_MISPRED_DETAIL_*
    row(0x64, 1, 1, Q::none, T::causal, no_set, level_of(State::fetch_buffers), f::has_bit<fetch::almost_full>),  // L1I_RAB_ALMOST_FULL
    row(0x65, 1, 1, Q::fetch, T::active, no_set, of(Signal::fetch), f::fetch_pending),                    // L1I_FETCH_RAB_HIT
    row(0x66, 1, 1, Q::fetch, T::active, no_set, of(Signal::fetch), f::fetch_streamed),                   // L1I_FETCH_ISB_HIT
    row(0x67, 0x000c, 1, Q::none, T::active, no_set, level_of(State::fetch_buffers), f::prefetch_stall),  // L1I_PREFETCH_STALL_*
    row(0x68, 0x7777, 2, Q::tag, T::active, no_set, of(Signal::retire), f::unknown_outcome),              // BR_MISPRED_DETAIL2_*
    row(0x69, 1, 1, Q::none, T::active, no_set, of(Signal::prefetch_lost)),                               // L1I_PVAB_OVERFLOW
    row(0x6a, 0x3333, 2, Q::tag, T::active, no_set, of(Signal::retire), f::unknown_path),                 // BR_PATH_PRED2_*

    // Bundles that the front end did not deliver
    row(0x70, lost_reasons, 2, Q::none, T::active, no_set, level_of(State::front_end), f::lost_bundles),  // FE_LOST_BW_*
    row(0x71, 0x3ffb, 1, Q::none, T::active, no_set, level_of(State::front_end), f::front_end_bubble),    // FE_BUBBLE_*
    row(0x72, lost_reasons, 2, Q::none, T::active, no_set, level_of(State::buffer_exit, State::back_end), f::lost_bundles_unstalled),  // BE_LOST_BW_DUE_TO_FE_*
    row(0x73, lost_reasons, 2, Q::none, T::active, no_set, level_of(State::buffer_exit), f::lost_bundles),  // IDEAL_BE_LOST_BW_DUE_TO_FE_*

    // System bus
    row(0x89, 0x000a, 1, Q::none, T::causal, no_set, bus_kind(BusKind::read_current), f::by_agent),  // MEM_READ_CURRENT_*

    // First level of data cache, data TLBs, data EAR
    row(0xc0, 1, 1, Q::data, T::active, l1d(0), of(Signal::translation, d::side_data), f::l1d_transfer),  // L1DTLB_TRANSFER
    row(0xc1, 1, 4, Q::data, T::active, l1d(0), of(Signal::translation, d::side_data | d::tlb_walk)),     // L2DTLB_MISSES
    row(0xc2, 1, 2, Q::data, T::active, l1d(0), of(Signal::data_reference), f::l1d_read),                 // L1D_READS_SET0
    row(0xc3, 1, 4, Q::data, T::active, l1d(0), of(Signal::data_reference), f::data_reference),           // DATA_REFERENCES_SET0
    row(0xc4, 1, 2, Q::data, T::active, l1d(1), of(Signal::data_reference), f::l1d_read_once),            // L1D_READS_SET1
    row(0xc5, 1, 4, Q::data, T::active, l1d(1), of(Signal::data_reference), f::data_reference_once),      // DATA_REFERENCES_SET1
    row(0xc6, 1, 1, Q::data, T::active, no_set, of(Signal::data_reference), f::debug_match),              // DATA_DEBUG_REGISTER_MATCHES
    row(0xc7, 0x0003, 2, Q::data, T::active, l1d(1), of(Signal::dcache_lookup), f::l1d_read_miss),        // L1D_READ_MISSES_*
    row(0xc8, 1, 1, Q::none, T::floating, no_set, Source::data_ear),                                      // DATA_EAR_*
    row(0xca, 0xffbf, 1, Q::none, T::active, l1d(2), level_of(State::back_end), f::l1d_fpu_bubble),       // BE_L1D_FPU_BUBBLE_*
    row(0xcb, 1, 1, Q::data, T::floating, no_set, with(Signal::l2_lookup, d::lookup_mask, d::lookup_miss)),  // L2_MISSES / L2D_MISSES
    row(0xcd, 1, 4, Q::data, T::active, l1d(3), of_both(Signal::access_retire, Signal::walk_read), f::retired_load),  // LOADS_RETIRED
    row(0xce, 1, 4, Q::data, T::active, l1d(3), of(Signal::access_retire), f::misaligned_load),           // MISALIGNED_LOADS_RETIRED
    row(0xcf, 1, 4, Q::data, T::active, l1d(3), of(Signal::access_retire), f::uncacheable_load),          // UC_LOADS_RETIRED
    row(0xd0, 1, 2, Q::data, T::active, l1d(4), of(Signal::access_retire), f::uncacheable_store),         // UC_STORES_RETIRED
    row(0xd1, 1, 2, Q::data, T::active, l1d(4), of(Signal::access_retire), f::retired_store),             // STORES_RETIRED
    row(0xd2, 1, 2, Q::data, T::active, l1d(4), of(Signal::access_retire), f::misaligned_store),          // MISALIGNED_STORES_RETIRED

    // Third level of cache
    row(0xdb, 1, 1, Q::data, T::floating, no_set, of(Signal::l3_lookup)),                                 // L3_REFERENCES
    row(0xdc, 1, 1, Q::data, T::floating, no_set, of(Signal::l3_lookup, d::lookup_miss)),                 // L3_MISSES
    of_line_states(dd::l3_state_shift, row(0xdd, 0xeeee, 1, Q::data, T::floating, no_set, of(Signal::l3_lookup), f::l3_read)),  // L3_READS_*
    of_line_states(dd::l3_state_shift, row(0xde, 0xeee0, 1, Q::data, T::floating, no_set, of(Signal::l3_lookup), f::l3_write)),  // L3_WRITES_*
    of_line_states(d::evict_state_shift, row(0xdf, 1, 1, Q::none, T::floating, no_set, with(Signal::line_evict, d::cache_mask | d::evict_replacement, d::cache_l3 | d::evict_replacement))),  // L3_LINES_REPLACED
};
// clang-format on

}  // namespace

std::vector<Event> with_common_events(std::span<const Event> own) {
  std::vector<Event> all(own.begin(), own.end());
  const auto is_own = [&](const Event& event) {
    return std::any_of(own.begin(), own.end(), [&](const Event& other) { return other.code == event.code; });
  };
  std::remove_copy_if(std::begin(table), std::end(table), std::back_inserter(all), is_own);
  std::stable_sort(all.begin(), all.end(), [](const Event& a, const Event& b) { return a.code < b.code; });
  return all;
}

}  // namespace pmusim::pmu::ia64
