#include "models/montecito/events.h"

#include "models/ia64/event_rows.h"
#include "models/ia64/filters.h"

namespace pmusim::pmu::montecito {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
namespace f = ia64::filters;
namespace m = filters;
namespace queue = activity::ia64::l2_queue;
namespace bus = activity::ia64::bus_queues;
namespace interface = activity::ia64::interface_queues;
namespace reject = activity::ia64::request_reject;
using activity::Signal;
using activity::State;
using activity::ia64::BusKind;
using activity::ia64::InterfaceQueue;
using ia64::Event;
using ia64::Group;
using ia64::Source;
using ia64::Type;
using Q = ia64::Qualifier;
using T = ia64::Type;
using namespace ia64::rows;

/// Sets of unit masks: `two_bits` 1 to 3; `agents` 0 to 3; `cores` 0 both cores, 1 this core.
constexpr std::uint16_t two_bits = 0x000e, agents = 0x000f, cores = 0x0003;
/// Unit masks with 1 to 3 in bits 3:2 and in bits 1:0, for lookups in L2I.
constexpr std::uint16_t two_fields = 0xeee0;
/// Sets of counters: `bus_counters` PMC4 to PMC9, `halt_counter` PMC10.
constexpr std::uint16_t bus_counters = 0x003f, halt_counter = 0x0040;

constexpr std::uint16_t of_kind(BusKind kind, std::uint16_t bits = 0) {
  return static_cast<std::uint16_t>(static_cast<std::uint16_t>(kind) | bits);
}
constexpr std::uint16_t kind_and(std::uint16_t bits) { return static_cast<std::uint16_t>(dd::bus_kind_mask | bits); }

/// A bus event. It can be selected in PMC4 to PMC9; by default its unit masks select agents.
constexpr Event bus_event(std::uint8_t code, std::uint16_t mask, std::uint16_t value, Event::Amount amount,
                          std::uint16_t umasks = agents) {
  return {.code = code,
          .umasks = umasks,
          .type = Type::self_floating,
          .counters = bus_counters,
          .signal = Signal::bus_transaction,
          .mask = mask,
          .value = value,
          .amount = amount};
}
/// An event that counts the entries of a queue in each cycle; the unit mask selects both cores or this one.
constexpr Event queue_level(std::uint8_t code, std::uint8_t most, Event::Level level) {
  return {.code = code,
          .umasks = cores,
          .most = most,
          .type = Type::causal,
          .state = State::interface_both,
          .second_state = State::interface_self,
          .level = level};
}
/// As queue_level(), for both cores only.
constexpr Event both_level(std::uint8_t code, std::uint8_t most, Event::Level level) {
  return {.code = code, .most = most, .type = Type::causal, .state = State::interface_both, .level = level};
}
constexpr Event request_level(std::uint8_t code, std::uint8_t most, Type type, Event::Level level) {
  return {
      .code = code, .most = most, .type = type, .counters = bus_counters, .state = State::bus_queues, .level = level};
}
constexpr Event queue_event(std::uint8_t code, std::uint8_t most, Type type, Signal signal, Event::Amount amount,
                            std::uint16_t umasks = cores) {
  return {.code = code, .umasks = umasks, .most = most, .type = type, .signal = signal, .amount = amount};
}
/// A floating event for fetches in L2I.
constexpr Event l2i_event(std::uint8_t code, std::uint16_t umasks, Signal signal, Event::Amount amount = nullptr,
                          std::uint16_t why = 0) {
  return {.code = code,
          .umasks = umasks,
          .qualifier = Q::address,
          .type = Type::floating,
          .signal = signal,
          .mask = why,
          .value = why,
          .amount = amount};
}
/// A floating event for data requests in L2D. `group`, `set`: its set, or Group::none.
constexpr Event l2d_event(std::uint8_t code, std::uint16_t umasks, std::uint8_t most, Group group, std::uint8_t set,
                          Signal signal, Event::Amount amount = nullptr, std::uint16_t mask = 0) {
  return {.code = code,
          .umasks = umasks,
          .most = most,
          .qualifier = Q::data,
          .group = group,
          .set = set,
          .type = Type::floating,
          .signal = signal,
          .mask = mask,
          .value = mask,
          .amount = amount};
}
template <std::uint64_t bit>
constexpr Event l2d_level(std::uint8_t code, std::uint8_t set) {
  return {.code = code,
          .group = Group::l2,
          .set = set,
          .type = Type::floating,
          .state = State::l2_queue,
          .level = f::has_bit<bit>};
}

// Events that Montecito does not share with Itanium 2.
// clang-format off
constexpr Event own[] = {
    //  row(code, umasks, most, qualifier, type, set, input)
    //  l2i_event(code, umasks, signal, amount, detail bits), l2d_level<queue bit>(code, set),
    //  l2d_event(code, umasks, most, group, set, signal, amount, detail bits), bus_event(code, mask, value, amount, umasks),
    //  queue_level, both_level(code, most, level), request_level(code, most, type, level),
    //  queue_event(code, most, type, signal, amount, umasks)
    // Retirement
    row(0x09, 1, 6, Q::address, T::active, no_set, of(Signal::retire), f::fp_operations),                // FP_OPS_RETIRED
    row(0x0b, 0x0003, 2, Q::address, T::active, no_set, of(Signal::retire), f::flushed_to_zero),         // FP_FLUSH_TO_ZERO_FTZ_*

    // Threads and clocks
    row(0x0c, 0x0001, 1, Q::none, T::active, no_set, of(Signal::thread_switch_missed)),                  // THREAD_SWITCH_EVENTS_MISSED
    row(0x0c, 0x00be, 1, Q::none, T::active, no_set, of(Signal::thread_switch), m::switched),            // THREAD_SWITCH_EVENTS_*
    row(0x0d, 0x00b2, 1, Q::none, T::active, no_set, of(Signal::thread_switch_gated), m::switch_gated),  // THREAD_SWITCH_GATED_*
    row(0x0e, 0x00de, 1, Q::none, T::active, no_set, level_of(State::switching), m::switch_cycle),       // THREAD_SWITCH_CYCLE_*
    row(0x0f, 0x07ff, 1, Q::none, T::active, no_set, of(Signal::thread_switch), m::switch_stalled),      // THREAD_SWITCH_STALL_GTE_*
    row(0x12, 0x0001, 1, Q::none, T::causal, no_set, Source::clock),                                     // CPU_OP_CYCLES_ALL
    awaited(row(0x12, 0x0002, 1, Q::tag, T::causal, no_set, of(Signal::retire))),                        // CPU_OP_CYCLES_QUAL
    row(0x13, 0x8116, 1, Q::none, T::active, no_set, Source::level_change),                              // CPU_CPL_CHANGES_*
    in_counters(halt_counter, row(0x18, 1, 7, Q::none, T::causal, no_set, Source::halted)),              // CPU_OP_CYCLES_HALTED
    row(0x2d, 1, 4, Q::none, T::active, no_set, of(Signal::walk_read)),                                  // HPW_DATA_REFERENCES

    // Second level of cache, instructions
    l2i_event(0x78, two_fields, Signal::l2i_lookup, m::l2i_read),                                        // L2I_READS_*
    l2i_event(0x79, two_fields, Signal::l2i_lookup, m::l2i_uncacheable_read),                            // L2I_UC_READS_*
    l2i_event(0x7a, 1, Signal::l2i_evict),                                                               // L2I_VICTIMIZATION
    l2i_event(0x7b, two_fields, Signal::l2i_retry, m::l2i_retried, dd::retry_recirculated),              // L2I_RECIRCULATES_*
    l2i_event(0x7c, two_fields, Signal::l2i_retry, m::l2i_retried, dd::retry_rejected),                  // L2I_L3_REJECTS_*
    l2i_event(0x7d, two_fields, Signal::l2i_retry, m::l2i_retried, dd::retry_conflict),                  // L2I_HIT_CONFLICTS_*
    l2i_event(0x7e, 1, Signal::l2i_abort),                                                               // L2I_SPEC_ABORTS
    row(0x7f, 1, 1, Q::none, T::causal, no_set, of(Signal::l2i_snoop_hit)),                              // L2I_SNOOP_HITS

    // System bus
    bus_event(0x80, dd::bus_answer_hit, dd::bus_answer_hit, m::read),                                    // BUS_RD_HIT_*
    bus_event(0x81, dd::bus_answer_modified, dd::bus_answer_modified, m::read),                          // BUS_RD_HITM_*
    bus_event(0x82, kind_and(dd::bus_answer_modified), of_kind(BusKind::invalidate_line, dd::bus_answer_modified), f::by_agent),  // BUS_RD_INVAL_HITM_*
    bus_event(0x83, dd::bus_answer_modified, dd::bus_answer_modified, m::read_invalidates),              // BUS_RD_INVAL_BST_HITM_*
    bus_event(0x84, dd::bus_answer_modified, dd::bus_answer_modified, f::by_agent),                      // BUS_HITM_*
    bus_event(0x87, 0, 0, f::by_agent),                                                                  // BUS_ALL_*
    in_counters(bus_counters, row(0x88, agents, 1, Q::none, T::causal, no_set, level_of(State::bus_clocks), m::data_cycle)),  // BUS_DATA_CYCLE_*
    bus_event(0x8a, 0, 0, f::bus_memory, 0xfff0),                                                        // BUS_MEMORY_*
    bus_event(0x8b, 0, 0, f::bus_memory_read, 0xffff),                                                   // BUS_MEM_READ_*
    bus_event(0x8c, 0, 0, f::bus_read_data),                                                             // BUS_RD_DATA_*
    bus_event(0x8d, dd::bus_kind_mask, of_kind(BusKind::read_partial), f::by_agent),                     // BUS_RD_PRTL_*
    row(0x8e, 1, 1, Q::none, T::causal, no_set, Source::bus_clock),                                      // SI_CYCLES
    in_counters(bus_counters, row(0x8f, 0x000d, 1, Q::none, T::self_floating, no_set, level_of(State::bus_clocks), m::snoop_stall)),  // BUS_SNOOP_STALL_CYCLES_*
    bus_event(0x90, 0, 0, f::bus_io),                                                                    // BUS_IO_*
    bus_event(0x91, dd::bus_kind_mask, of_kind(BusKind::io_read), f::by_agent),                          // BUS_RD_IO_*
    bus_event(0x92, 0, 0, f::bus_write_back, 0xece0),                                                    // BUS_WR_WB_*
    in_counters(bus_counters, row(0x93, agents, 1, Q::none, T::causal, no_set, level_of(State::bus_clocks), m::back_to_back_data)),  // BUS_B2B_DATA_CYCLES_*

    // Queues of the system interface
    both_level(0x97, 3, m::entries<interface::in_order_shift, 3>),                                       // SI_IOQ_LIVE_REQ_LO
    both_level(0x98, 2, m::entries<interface::in_order_shift + 2, 3>),                                   // SI_IOQ_LIVE_REQ_HI
    queue_event(0x9e, 2, Type::self_floating, Signal::interface_insert, m::in_queue<InterfaceQueue::request>),  // SI_RQ_INSERTS_*
    queue_level(0x9f, 7, m::entries<interface::request_shift, 7>),                                       // SI_RQ_LIVE_REQ_LO_*
    queue_level(0xa0, 1, m::entries<interface::request_shift + 3, 1>),                                   // SI_RQ_LIVE_REQ_HI_*
    queue_event(0xa1, 2, Type::self_floating, Signal::interface_insert, m::write_inserted, 0xffff),      // SI_WRITEQ_INSERTS_*
    queue_level(0xa2, 7, m::entries<interface::write_shift, 7>),                                         // SI_WRITEQ_LIVE_REQ_LO_*
    queue_level(0xa3, 1, m::entries<interface::write_shift + 3, 1>),                                     // SI_WRITEQ_LIVE_REQ_HI_*
    queue_event(0xa4, 1, Type::causal, Signal::interface_collision, m::in_queue<InterfaceQueue::write_address>),  // SI_WAQ_COLLISIONS_*
    queue_event(0xa5, 2, Type::self_floating, Signal::interface_insert, m::in_queue<InterfaceQueue::clean_castout>),  // SI_CCQ_INSERTS_*
    queue_level(0xa6, 7, m::entries<interface::clean_castout_shift, 7>),                                 // SI_CCQ_LIVE_REQ_LO_*
    queue_level(0xa7, 1, m::entries<interface::clean_castout_shift + 3, 1>),                             // SI_CCQ_LIVE_REQ_HI_*
    queue_event(0xa8, 2, Type::causal, Signal::interface_collision, m::in_queue<InterfaceQueue::clean_castout>),  // SI_CCQ_COLLISIONS_*
    queue_event(0xaa, 2, Type::causal, Signal::interface_collision, m::in_queue<InterfaceQueue::in_order>, 1),  // SI_IOQ_COLLISIONS
    queue_event(0xab, 4, Type::causal, Signal::interface_insert, m::snoop_inserted, 0x3333),             // SI_SCB_INSERTS_*
    queue_level(0xac, 7, m::entries<interface::snoop_coalescing_shift, 7>),                              // SI_SCB_LIVE_REQ_LO_*
    queue_level(0xad, 1, m::entries<interface::snoop_coalescing_shift + 3, 1>),                          // SI_SCB_LIVE_REQ_HI_*
    queue_event(0xae, 1, Type::causal, Signal::interface_signoff, m::snoop_signed_off, 0x1111),          // SI_SCB_SIGNOFFS_*
    queue_event(0xaf, 2, Type::causal, Signal::interface_ecc, m::ecc_error, 0x0333),                     // SI_WDQ_ECC_ERRORS_*
    l2d_event(0xb0, 1, 4, Group::none, 0, Signal::l2_reference, nullptr, d::lookup_miss),                // L2D_INSERT_MISSES
    l2d_event(0xb1, 1, 4, Group::none, 0, Signal::l2_reference, nullptr, d::lookup_hit),                 // L2D_INSERT_HITS

    // External requests
    request_level(0xb4, 2, Type::floating, f::field<bus::memory_reads_shift + 3, 3>),                    // ER_MEM_READ_OUT_HI
    request_level(0xb5, 7, Type::floating, f::field<bus::memory_reads_shift, 7>),                        // ER_MEM_READ_OUT_LO
    request_level(0xb6, 2, Type::causal, f::field<bus::snoops_shift + 3, 3>),                            // ER_SNOOPQ_REQ_HI
    request_level(0xb7, 7, Type::causal, f::field<bus::snoops_shift, 7>),                                // ER_SNOOPQ_REQ_LO
    request_level(0xb8, 2, Type::causal, f::field<bus::requests_shift + 3, 3>),                          // ER_BRQ_LIVE_REQ_HI
    request_level(0xb9, 7, Type::causal, f::field<bus::requests_shift, 7>),                              // ER_BRQ_LIVE_REQ_LO
    in_counters(bus_counters, row(0xba, 1, 1, Q::none, T::floating, no_set, of(Signal::bus_queue_insert))),  // ER_BRQ_REQ_INSERTED
    in_counters(bus_counters, row(0xbb, 1, 2, Q::none, T::causal, no_set, of(Signal::bus_snoop, dd::snoop_self))),  // ER_BKSNP_ME_ACCEPTED

    // The counter selects one of the two, see family.cpp
    in_counters(bus_counters, row(0xbc, 1, 1, Q::none, T::causal, no_set, level_of(State::request_reject), m::rejects_all)),  // ER_REJECT_ALL_L1_REQ L2D_OZQ_FULL_THIS
    l2d_level<queue::full>(0xbc, 5),                                                                     // ER_REJECT_ALL_L1_REQ L2D_OZQ_FULL_THIS
    in_counters(bus_counters, row(0xbd, 1, 1, Q::none, T::causal, no_set, level_of(State::request_reject), f::has_bit<reject::data>)),  // ER_REJECT_ALL_L1D_REQ
    in_counters(bus_counters, row(0xbe, 1, 1, Q::none, T::causal, no_set, level_of(State::request_reject), f::has_bit<reject::instruction>)),  // ER_REJECT_ALL_L1I_REQ

    // First level of data cache
    row(0xc9, 1, 4, Q::none, T::floating, no_set, of(Signal::tlb_insert, d::side_data)),                 // DTLB_INSERTS_HPW
    row(0xd8, 1, 2, Q::data, T::active, l1d(6), of(Signal::access_retire), m::integer_load),             // LOADS_RETIRED_INTG
    row(0xd9, 0x003f, 2, Q::data_address, T::active, no_set, of(Signal::retire), m::deferred_load),      // SPEC_LOADS_NATTED_*
    of_line_states(0, row(0xda, 1, 1, Q::data, T::floating, no_set, of(Signal::l3_insert))),             // L3_INSERTS

    // Second level of cache, data
    l2d_event(0xe0, 0xffff, 4, Group::l2, 0, Signal::queue_cancel, m::queue_cancel0),                    // L2D_OZQ_CANCELS0_*
    l2d_event(0xe2, 0x000f, 4, Group::l2, 0, Signal::queue_cancel, m::queue_cancel1),                    // L2D_OZQ_CANCELS1_*
    l2d_event(0xe4, 0x0007, 1, Group::l2, 1, Signal::bypass, f::bypass),                                 // L2D_BYPASS_L_*
    l2d_level<queue::has_release>(0xe5, 1),                                                              // L2D_OZQ_RELEASE
    l2d_event(0xe6, two_bits, 4, Group::l2, 2, Signal::l2_reference, f::l2_data_reference, d::side_data),  // L2D_REFERENCES_*
    l2d_event(0xe8, 0x00ff, 1, Group::l2, 3, Signal::l3_cancel, m::l3_cancel),                           // L2D_L3ACCESS_CANCEL_*
    l2d_level<queue::data_full>(0xe9, 3),                                                                // L2D_OZDB_FULL_THIS
    l2d_event(0xea, 0xfff3, 4, Group::l2, 4, Signal::force_recirculate, m::recirculated),                // L2D_FORCE_RECIRC_*
    l2d_event(0xeb, 1, 1, Group::l2, 4, Signal::recirculate_try, nullptr, d::side_data),                 // L2D_ISSUED_RECIRC_OZQ_ACC
    l2d_event(0xec, 1, 4, Group::l2, 5, Signal::l2_valid_victim),                                        // L2D_BAD_LINES_SELECTED_ANY
    l2d_event(0xed, 1, 2, Group::l2, 5, Signal::l2_store_shared),                                        // L2D_STORE_HIT_SHARED_ANY
    l2d_level<queue::has_acquire>(0xef, 6),                                                              // L2D_OZQ_ACQUIRE
    l2d_event(0xf0, 0x003f, 4, Group::none, 0, Signal::queue_issue, m::queue_operation),                 // L2D_OPS_ISSUED_*
    l2d_level<queue::fills_full>(0xf1, 7),                                                               // L2D_FILLB_FULL_THIS
    row(0xf2, 0x001f, 1, Q::none, T::floating, l2(8), of(Signal::l2_fill), m::filled),                   // L2D_FILL_MESI_STATE_*
    l2d_level<queue::victims_full>(0xf3, 8),                                                             // L2D_VICTIMB_FULL_THIS
};
// clang-format on

}  // namespace

std::span<const Event> multiplexer() {
  static const std::vector<Event> table = ia64::with_common_events(own);
  return table;
}

}  // namespace pmusim::pmu::montecito
