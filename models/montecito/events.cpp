#include "models/montecito/events.h"

#include "models/ia64/common_events.h"
#include "models/ia64/filters.h"
#include "models/montecito/filters.h"

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

/// Unit masks 1 to 3: two bits, any combination. Agents: 0 to 3. This core or both: 0 and 1.
constexpr std::uint16_t two_bits = 0x000e, agents = 0x000f, cores = 0x0003;
/// Unit masks of two fields that are 1 to 3: what L2I looks up.
constexpr std::uint16_t two_fields = 0xeee0;
/// Counters: PMC4 to PMC9; PMC10.
constexpr std::uint16_t bus_counters = 0x003f, halt_counter = 0x0040;

constexpr std::uint16_t of_kind(BusKind kind, std::uint16_t bits = 0) {
  return static_cast<std::uint16_t>(static_cast<std::uint16_t>(kind) | bits);
}
constexpr std::uint16_t kind_and(std::uint16_t bits) { return static_cast<std::uint16_t>(dd::bus_kind_mask | bits); }

/// A bus event: counters PMC4 to PMC9, unit masks for agents unless changed.
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
/// The entries of a queue, cycle by cycle.
constexpr Event queue_level(std::uint8_t code, std::uint8_t most, Event::Level level) {
  return {.code = code,
          .umasks = cores,
          .most = most,
          .type = Type::causal,
          .state = State::interface_both,
          .second_state = State::interface_self,
          .level = level};
}
/// The same of both cores together.
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
/// A floating event about a fetch, in L2I.
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
/// A floating event about a data request, in L2D; a set of the group or none.
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

// What Montecito does not share with Itanium 2.
constexpr Event own[] = {
    // retirement
    {.code = 0x09, .most = 6, .qualifier = Q::address, .signal = Signal::retire, .amount = f::fp_operations},
    {.code = 0x0b,
     .umasks = 0x0003,
     .most = 2,
     .qualifier = Q::address,
     .signal = Signal::retire,
     .amount = f::flushed_to_zero},
    // threads and clocks
    {.code = 0x0c, .umasks = 0x0001, .signal = Signal::thread_switch_missed},
    {.code = 0x0c, .umasks = 0x00be, .signal = Signal::thread_switch, .amount = m::switched},
    {.code = 0x0d, .umasks = 0x00b2, .signal = Signal::thread_switch_gated, .amount = m::switch_gated},
    {.code = 0x0e, .umasks = 0x00de, .state = State::switching, .level = m::switch_cycle},
    {.code = 0x0f, .umasks = 0x07ff, .signal = Signal::thread_switch, .amount = m::switch_stalled},
    {.code = 0x12, .umasks = 0x0001, .type = Type::causal, .source = Source::clock},
    {.code = 0x12,
     .umasks = 0x0002,
     .qualifier = Q::tag,
     .type = Type::causal,
     .signal = Signal::retire,
     .awaited = true},
    {.code = 0x13, .umasks = 0x8116, .source = Source::level_change},
    {.code = 0x18, .most = 7, .type = Type::causal, .counters = halt_counter, .source = Source::halted},
    {.code = 0x2d, .most = 4, .signal = Signal::walk_read},
    // second level of cache, instructions
    l2i_event(0x78, two_fields, Signal::l2i_lookup, m::l2i_read),
    l2i_event(0x79, two_fields, Signal::l2i_lookup, m::l2i_uncacheable_read),
    l2i_event(0x7a, 1, Signal::l2i_evict),
    l2i_event(0x7b, two_fields, Signal::l2i_retry, m::l2i_retried, dd::retry_recirculated),
    l2i_event(0x7c, two_fields, Signal::l2i_retry, m::l2i_retried, dd::retry_rejected),
    l2i_event(0x7d, two_fields, Signal::l2i_retry, m::l2i_retried, dd::retry_conflict),
    l2i_event(0x7e, 1, Signal::l2i_abort),
    {.code = 0x7f, .type = Type::causal, .signal = Signal::l2i_snoop_hit},
    // system bus
    bus_event(0x80, dd::bus_answer_hit, dd::bus_answer_hit, m::read),
    bus_event(0x81, dd::bus_answer_modified, dd::bus_answer_modified, m::read),
    bus_event(0x82, kind_and(dd::bus_answer_modified), of_kind(BusKind::invalidate_line, dd::bus_answer_modified),
              f::by_agent),
    bus_event(0x83, dd::bus_answer_modified, dd::bus_answer_modified, m::read_invalidates),
    bus_event(0x84, dd::bus_answer_modified, dd::bus_answer_modified, f::by_agent),
    bus_event(0x87, 0, 0, f::by_agent),
    {.code = 0x88,
     .umasks = agents,
     .type = Type::causal,
     .counters = bus_counters,
     .state = State::bus_clocks,
     .level = m::data_cycle},
    bus_event(0x8a, 0, 0, f::bus_memory, 0xfff0),
    bus_event(0x8b, 0, 0, f::bus_memory_read, 0xffff),
    bus_event(0x8c, 0, 0, f::bus_read_data),
    bus_event(0x8d, dd::bus_kind_mask, of_kind(BusKind::read_partial), f::by_agent),
    {.code = 0x8e, .type = Type::causal, .source = Source::bus_clock},
    {.code = 0x8f,
     .umasks = 0x000d,
     .type = Type::self_floating,
     .counters = bus_counters,
     .state = State::bus_clocks,
     .level = m::snoop_stall},
    bus_event(0x90, 0, 0, f::bus_io),
    bus_event(0x91, dd::bus_kind_mask, of_kind(BusKind::io_read), f::by_agent),
    bus_event(0x92, 0, 0, f::bus_write_back, 0xece0),
    {.code = 0x93,
     .umasks = agents,
     .type = Type::causal,
     .counters = bus_counters,
     .state = State::bus_clocks,
     .level = m::back_to_back_data},
    // queues of the system interface
    both_level(0x97, 3, m::entries<interface::in_order_shift, 3>),
    both_level(0x98, 2, m::entries<interface::in_order_shift + 2, 3>),
    queue_event(0x9e, 2, Type::self_floating, Signal::interface_insert, m::in_queue<InterfaceQueue::request>),
    queue_level(0x9f, 7, m::entries<interface::request_shift, 7>),
    queue_level(0xa0, 1, m::entries<interface::request_shift + 3, 1>),
    queue_event(0xa1, 2, Type::self_floating, Signal::interface_insert, m::write_inserted, 0xffff),
    queue_level(0xa2, 7, m::entries<interface::write_shift, 7>),
    queue_level(0xa3, 1, m::entries<interface::write_shift + 3, 1>),
    queue_event(0xa4, 1, Type::causal, Signal::interface_collision, m::in_queue<InterfaceQueue::write_address>),
    queue_event(0xa5, 2, Type::self_floating, Signal::interface_insert, m::in_queue<InterfaceQueue::clean_castout>),
    queue_level(0xa6, 7, m::entries<interface::clean_castout_shift, 7>),
    queue_level(0xa7, 1, m::entries<interface::clean_castout_shift + 3, 1>),
    queue_event(0xa8, 2, Type::causal, Signal::interface_collision, m::in_queue<InterfaceQueue::clean_castout>),
    queue_event(0xaa, 2, Type::causal, Signal::interface_collision, m::in_queue<InterfaceQueue::in_order>, 1),
    queue_event(0xab, 4, Type::causal, Signal::interface_insert, m::snoop_inserted, 0x3333),
    queue_level(0xac, 7, m::entries<interface::snoop_coalescing_shift, 7>),
    queue_level(0xad, 1, m::entries<interface::snoop_coalescing_shift + 3, 1>),
    queue_event(0xae, 1, Type::causal, Signal::interface_signoff, m::snoop_signed_off, 0x1111),
    queue_event(0xaf, 2, Type::causal, Signal::interface_ecc, m::ecc_error, 0x0333),
    l2d_event(0xb0, 1, 4, Group::none, 0, Signal::l2_reference, nullptr, d::lookup_miss),
    l2d_event(0xb1, 1, 4, Group::none, 0, Signal::l2_reference, nullptr, d::lookup_hit),
    // external requests
    request_level(0xb4, 2, Type::floating, f::field<bus::memory_reads_shift + 3, 3>),
    request_level(0xb5, 7, Type::floating, f::field<bus::memory_reads_shift, 7>),
    request_level(0xb6, 2, Type::causal, f::field<bus::snoops_shift + 3, 3>),
    request_level(0xb7, 7, Type::causal, f::field<bus::snoops_shift, 7>),
    request_level(0xb8, 2, Type::causal, f::field<bus::requests_shift + 3, 3>),
    request_level(0xb9, 7, Type::causal, f::field<bus::requests_shift, 7>),
    {.code = 0xba, .type = Type::floating, .counters = bus_counters, .signal = Signal::bus_queue_insert},
    {.code = 0xbb,
     .most = 2,
     .type = Type::causal,
     .counters = bus_counters,
     .signal = Signal::bus_snoop,
     .mask = dd::snoop_self,
     .value = dd::snoop_self},
    // one of the two by the counter, see family.cpp
    {.code = 0xbc,
     .type = Type::causal,
     .counters = bus_counters,
     .state = State::request_reject,
     .level = m::rejects_all},
    l2d_level<queue::full>(0xbc, 5),
    {.code = 0xbd,
     .type = Type::causal,
     .counters = bus_counters,
     .state = State::request_reject,
     .level = f::has_bit<reject::data>},
    {.code = 0xbe,
     .type = Type::causal,
     .counters = bus_counters,
     .state = State::request_reject,
     .level = f::has_bit<reject::instruction>},
    // first level of data cache
    {.code = 0xc9,
     .most = 4,
     .type = Type::floating,
     .signal = Signal::tlb_insert,
     .mask = d::side_data,
     .value = d::side_data},
    {.code = 0xd8,
     .most = 2,
     .qualifier = Q::data,
     .group = Group::l1d,
     .set = 6,
     .signal = Signal::access_retire,
     .amount = m::integer_load},
    {.code = 0xd9,
     .umasks = 0x003f,
     .most = 2,
     .qualifier = Q::data_address,
     .signal = Signal::retire,
     .amount = m::deferred_load},
    {.code = 0xda, .qualifier = Q::data, .type = Type::floating, .signal = Signal::l3_insert, .line_state = 0},
    // second level of cache, data
    l2d_event(0xe0, 0xffff, 4, Group::l2, 0, Signal::queue_cancel, m::queue_cancel0),
    l2d_event(0xe2, 0x000f, 4, Group::l2, 0, Signal::queue_cancel, m::queue_cancel1),
    l2d_event(0xe4, 0x0007, 1, Group::l2, 1, Signal::bypass, f::bypass),
    l2d_level<queue::has_release>(0xe5, 1),
    l2d_event(0xe6, two_bits, 4, Group::l2, 2, Signal::l2_reference, f::l2_data_reference, d::side_data),
    l2d_event(0xe8, 0x00ff, 1, Group::l2, 3, Signal::l3_cancel, m::l3_cancel),
    l2d_level<queue::data_full>(0xe9, 3),
    l2d_event(0xea, 0xfff3, 4, Group::l2, 4, Signal::force_recirculate, m::recirculated),
    l2d_event(0xeb, 1, 1, Group::l2, 4, Signal::recirculate_try, nullptr, d::side_data),
    l2d_event(0xec, 1, 4, Group::l2, 5, Signal::l2_valid_victim),
    l2d_event(0xed, 1, 2, Group::l2, 5, Signal::l2_store_shared),
    l2d_level<queue::has_acquire>(0xef, 6),
    l2d_event(0xf0, 0x003f, 4, Group::none, 0, Signal::queue_issue, m::queue_operation),
    l2d_level<queue::fills_full>(0xf1, 7),
    {.code = 0xf2,
     .umasks = 0x001f,
     .group = Group::l2,
     .set = 8,
     .type = Type::floating,
     .signal = Signal::l2_fill,
     .amount = m::filled},
    l2d_level<queue::victims_full>(0xf3, 8),
};

}  // namespace

std::span<const Event> multiplexer() {
  static const std::vector<Event> table = ia64::with_common_events(own);
  return table;
}

}  // namespace pmusim::pmu::montecito
