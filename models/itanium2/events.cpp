#include "models/itanium2/events.h"

#include "models/ia64/event_rows.h"
#include "models/ia64/filters.h"

namespace pmusim::pmu::itanium2 {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
namespace f = ia64::filters;
namespace queue = activity::ia64::l2_queue;
namespace bus = activity::ia64::bus_queues;
using activity::Signal;
using activity::State;
using activity::ia64::BusKind;
using ia64::Event;
using ia64::Source;
using Q = ia64::Qualifier;
using T = ia64::Type;
using namespace ia64::rows;

/// Unit masks 1 to 3.
constexpr std::uint16_t two_bits = 0x000e;
/// Unit masks that select agents: 1 I/O agents, 2 this processor, 3 any agent.
constexpr std::uint16_t self_or_any = 0x000c, agents = 0x000e;
/// Counters of events that only PMC4 can select.
constexpr std::uint16_t pmc4_only = 1;
/// Bus transactions of a kind with this answer bit; 0: with any answer.
constexpr Occurrences bus_kind(BusKind kind, unsigned answer = 0) {
  return with(Signal::bus_transaction, dd::bus_kind_mask | answer, static_cast<unsigned>(kind) | answer);
}

// Events that the Itanium 2 does not share with its successors. Codes and names: libpfm 3.10's event list; 0xa5 to
// 0xa7, 0xa9 to 0xab, 0xad to 0xaf, 0xbb and unit mask 15 of 0x9f: Intel's (251110-001, as oprofile's
// events/ia64/itanium2 has it), which gives the first nine the names of 0xa1 to 0xa3, and 0xbb a name without a
// definition. `umasks` has a bit for each unit mask; `most` is the maximum per cycle.
// clang-format off
constexpr Event own[] = {
    //  code, umasks, most, qualifier, type, set, input
    // Back end
    row(0x07, 1, 1, Q::none, T::active, no_set, Source::isa_change),                                      // IA32_ISA_TRANSITIONS

    // Retirement
    row(0x09, 1, 4, Q::address, T::active, no_set, of(Signal::retire), f::fp_operations),                 // FP_OPS_RETIRED
    row(0x0b, 1, 2, Q::address, T::active, no_set, of(Signal::retire), f::flushed_to_zero),               // FP_FLUSH_TO_ZERO
    row(0x12, 1, 1, Q::none, T::active, no_set, Source::clock),                                           // CPU_CYCLES
    row(0x13, 1, 1, Q::none, T::active, no_set, Source::level_change),                                    // CPU_CPL_CHANGES

    // Register stack engine and hardware page walker
    row(0x2c, 1, 4, Q::data, T::active, no_set, of(Signal::access_retire), f::walker_inserted),           // DTLB_INSERTS_HPW_RETIRED
    row(0x2d, 1, 4, Q::data, T::active, no_set, of(Signal::walk_read)),                                   // HPW_DATA_REFERENCES

    // Retirement, branches and checks
    row(0x59, 1, 2, Q::none, T::active, no_set, of(Signal::ia32_retire)),                                 // IA32_INST_RETIRED

    // System bus
    row(0x80, 1, 1, Q::none, T::active, no_set, of(Signal::bus_transaction, dd::bus_answer_hit), f::bus_read),  // BUS_RD_HIT
    row(0x81, 1, 1, Q::none, T::active, no_set, of(Signal::bus_transaction, dd::bus_answer_modified), f::bus_read),  // BUS_RD_HITM
    row(0x82, 1, 1, Q::none, T::active, no_set, bus_kind(BusKind::invalidate_line, dd::bus_answer_modified)),  // BUS_RD_INVAL_HITM
    row(0x83, 1, 1, Q::none, T::active, no_set, of(Signal::bus_transaction, dd::bus_answer_modified), f::bus_invalidates),  // BUS_RD_INVAL_ALL_HITM
    row(0x84, 1, 1, Q::none, T::active, no_set, of(Signal::bus_transaction, dd::bus_answer_modified)),    // BUS_HITM
    row(0x85, self_or_any, 1, Q::none, T::active, no_set, of(Signal::bus_snoop, dd::snoop_found_modified), f::by_agent),  // BUS_SNOOPS_HITM_*
    row(0x86, agents, 1, Q::none, T::active, no_set, of(Signal::bus_snoop), f::by_agent),                 // BUS_SNOOPS_*
    row(0x87, agents, 1, Q::none, T::active, no_set, of(Signal::bus_transaction), f::by_agent),           // BUS_ALL_*
    row(0x88, 1, 1, Q::none, T::active, no_set, level_of(State::bus_clocks), f::has_bit<activity::ia64::bus_clocks::data>),  // BUS_DATA_CYCLE
    row(0x8a, 0xeee0, 1, Q::none, T::active, no_set, of(Signal::bus_transaction), f::bus_memory),         // BUS_MEMORY_*
    row(0x8b, 0xeeee, 1, Q::none, T::active, no_set, of(Signal::bus_transaction), f::bus_memory_read),    // BUS_MEM_READ_*
    row(0x8c, agents, 1, Q::none, T::active, no_set, of(Signal::bus_transaction), f::bus_read_data),      // BUS_RD_DATA_*
    row(0x8d, agents, 1, Q::none, T::active, no_set, bus_kind(BusKind::read_partial), f::by_agent),  // BUS_RD_PRTL_*
    row(0x8e, 0x0002, 1, Q::none, T::active, no_set, of(Signal::bus_snoop, dd::snoop_self)),              // BUS_BACKSNP_REQ_THIS
    row(0x8f, self_or_any, 1, Q::none, T::active, no_set, level_of(State::bus_clocks), f::snoop_stall),   // BUS_SNOOP_STALL_CYCLES_*
    row(0x90, agents, 1, Q::none, T::active, no_set, of(Signal::bus_transaction), f::bus_io),             // BUS_IO_*
    row(0x91, agents, 1, Q::none, T::active, no_set, bus_kind(BusKind::io_read), f::by_agent),  // BUS_RD_IO_*
    row(0x92, 0xece0, 1, Q::none, T::active, no_set, of(Signal::bus_transaction), f::bus_write_back),     // BUS_WR_WB_*
    row(0x93, self_or_any, 1, Q::none, T::active, no_set, bus_kind(BusKind::lock), f::by_agent),  // BUS_LOCK_*
    row(0x94, 1, 2, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::memory_reads_shift + 3, 3>),  // BUS_MEM_READ_OUT_HI
    row(0x95, 1, 7, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::memory_reads_shift, 7>),  // BUS_MEM_READ_OUT_LO
    row(0x96, 1, 7, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::snoops_shift, 0xff>),  // BUS_SNOOPQ_REQ
    row(0x97, 1, 3, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::in_order_shift, 3>),  // BUS_IOQ_LIVE_REQ_LO
    row(0x98, 1, 2, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::in_order_shift + 2, 3>),  // BUS_IOQ_LIVE_REQ_HI
    row(0x99, 1, 7, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::deferred_shift, 7>),  // BUS_OOQ_LIVE_REQ_LO
    row(0x9a, 1, 2, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::deferred_shift + 3, 3>),  // BUS_OOQ_LIVE_REQ_HI
    row(0x9b, 1, 7, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::requests_shift, 7>),  // BUS_BRQ_LIVE_REQ_LO
    row(0x9c, 1, 2, Q::none, T::active, no_set, level_of(State::bus_queues), f::field<bus::requests_shift + 3, 3>),  // BUS_BRQ_LIVE_REQ_HI
    row(0x9d, 1, 1, Q::none, T::active, no_set, of(Signal::bus_queue_insert)),                            // BUS_BRQ_REQ_INSERTED
    row(0x9e, 0xfffe, 1, Q::none, T::active, no_set, of(Signal::pin_assert), f::pin),                     // EXTERN_DP_PINS_0_TO_3_*
    row(0x9f, two_bits | 0x8000, 1, Q::none, T::active, no_set, of(Signal::pin_assert), f::high_pin),     // EXTERN_DP_PINS_4_TO_5_*

    // Second level of cache
    row(0xa0, 0x001f, 4, Q::data, T::active, l2(0), of(Signal::queue_cancel), f::queue_cancel0),          // L2_OZQ_CANCELS0_*
    row(0xa1, 0x31f5, 1, Q::data, T::active, l2(0), of(Signal::fetch_cancel), f::fetch_cancel),           // L2_IFET_CANCELS_*
    row(0xa2, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_acquire>),  // L2_OZQ_ACQUIRE
    row(0xa3, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_release>),  // L2_OZQ_RELEASE
    row(0xa5, 0x31f5, 1, Q::data, T::active, l2(0), of(Signal::fetch_cancel), f::fetch_cancel),           // L2_IFET_CANCELS_*
    row(0xa6, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_acquire>),  // L2_OZQ_ACQUIRE
    row(0xa7, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_release>),  // L2_OZQ_RELEASE
    row(0xa8, 0xb77f, 4, Q::data, T::active, l2(0), of(Signal::queue_cancel), f::queue_cancel2),          // L2_OZQ_CANCELS2_*
    row(0xa9, 0x31f5, 1, Q::data, T::active, l2(0), of(Signal::fetch_cancel), f::fetch_cancel),           // L2_IFET_CANCELS_*
    row(0xaa, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_acquire>),  // L2_OZQ_ACQUIRE
    row(0xab, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_release>),  // L2_OZQ_RELEASE
    row(0xac, 0xfff7, 4, Q::data, T::active, l2(0), of(Signal::queue_cancel), f::queue_cancel1),          // L2_OZQ_CANCELS1_*
    row(0xad, 0x31f5, 1, Q::data, T::active, l2(0), of(Signal::fetch_cancel), f::fetch_cancel),           // L2_IFET_CANCELS_*
    row(0xae, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_acquire>),  // L2_OZQ_ACQUIRE
    row(0xaf, 1, 1, Q::none, T::active, l2(0), level_of(State::l2_queue), f::has_bit<queue::has_release>),  // L2_OZQ_RELEASE
    in_counters(pmc4_only, row(0xb0, 0x0f66, 1, Q::data, T::active, l2(1), of(Signal::l3_cancel), f::l3_cancel)),  // L2_L3ACCESS_CANCEL_*
    row(0xb1, 1, 4, Q::data, T::active, l2(1), of(Signal::l2_reference)),                                 // L2_REFERENCES
    row(0xb2, two_bits, 4, Q::data, T::active, l2(1), of(Signal::l2_reference, d::side_data), f::l2_data_reference),  // L2_DATA_REFERENCES_L2_*
    in_counters(pmc4_only, row(0xb4, 0x7f77, 4, Q::data, T::active, l2(2), of(Signal::force_recirculate), f::recirculated)),  // L2_FORCE_RECIRC_*
    row(0xb5, 1, 1, Q::data, T::active, l2(2), of(Signal::recirculate_try, d::side_data)),                // L2_ISSUED_RECIRC_OZQ_ACC
    row(0xb6, 1, 1, Q::data, T::active, l2(2), of(Signal::recirculate_done, d::side_data)),               // L2_GOT_RECIRC_OZQ_ACC
    row(0xb7, 1, 1, Q::data, T::active, l2(2), of(Signal::l2_probe)),                                     // L2_SYNTH_PROBE
    row(0xb8, 0x0077, 1, Q::data, T::active, l2(3), of(Signal::bypass), f::bypass),                       // L2_BYPASS_L_*
    row(0xb8, 0x1f00, 4, Q::data, T::active, l2(4), of(Signal::queue_issue), f::queue_operation),         // L2_OPS_ISSUED_*
    row(0xb9, 1, 4, Q::data, T::active, l2(3), of(Signal::l2_valid_victim)),                              // L2_BAD_LINES_SELECTED_ANY
    row(0xb9, 0x0100, 1, Q::data, T::active, l2(4), of(Signal::recirculate_try, 0, d::side_data)),        // L2_ISSUED_RECIRC_IFETCH_ANY
    row(0xba, 1, 2, Q::data, T::active, l2(3), of(Signal::l2_store_shared)),                              // L2_STORE_HIT_SHARED_ANY
    row(0xba, 0x0100, 1, Q::data, T::active, l2(4), of(Signal::recirculate_done, 0, d::side_data)),       // L2_GOT_RECIRC_IFETCH_ANY
    row(0xbb, 1, 1, Q::none, T::active, no_set, Source::unmodelled),                                      // TAGGED_L2_DATA_RETURN_POR
    row(0xbc, 1, 1, Q::none, T::active, l2(5), level_of(State::l2_queue), f::has_bit<queue::full>),       // L2_OZQ_FULL_THIS
    row(0xbd, 1, 1, Q::none, T::active, l2(5), level_of(State::l2_queue), f::has_bit<queue::data_full>),  // L2_OZDB_FULL_THIS
    row(0xbe, 1, 1, Q::none, T::active, l2(5), level_of(State::l2_queue), f::has_bit<queue::victims_full>),  // L2_VICTIMB_FULL_THIS
    row(0xbf, 1, 1, Q::none, T::active, l2(5), level_of(State::l2_queue), f::has_bit<queue::fills_full>),  // L2_FILLB_FULL_THIS

    // First level of data cache, data TLBs, data EAR
    row(0xc9, 1, 4, Q::data, T::active, no_set, of(Signal::tlb_insert, d::side_data)),                    // DTLB_INSERTS_HPW
};
// clang-format on

}  // namespace

std::span<const Event> multiplexer() {
  static const std::vector<Event> table = ia64::with_common_events(own);
  return table;
}

}  // namespace pmusim::pmu::itanium2
