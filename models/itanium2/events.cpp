#include "models/itanium2/events.h"

#include "models/ia64/common_events.h"
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
using ia64::Group;
using ia64::Source;
using Q = ia64::Qualifier;

/// Unit masks 1 to 3: two bits, any combination.
constexpr std::uint16_t two_bits = 0x000e;
/// Unit masks 2 and 3 of events that know this processor and any agent; 1 to 3 with I/O agents.
constexpr std::uint16_t self_or_any = 0x000c, agents = 0x000e;
/// Counters of events that can be in PMC4 only.
constexpr std::uint16_t pmc4_only = 1;
constexpr std::uint16_t of_kind(BusKind kind, std::uint16_t bits = 0) {
  return static_cast<std::uint16_t>(static_cast<std::uint16_t>(kind) | bits);
}
constexpr std::uint16_t kind_and(std::uint16_t bits) { return static_cast<std::uint16_t>(dd::bus_kind_mask | bits); }

// What Itanium 2 does not share with its successors. Columns: code, unit masks, most a cycle, qualifier, group and set;
// then the input.
constexpr Event own[] = {
    // back end, by the stage that holds it
    {.code = 0x07, .source = Source::isa_change},
    // retirement
    {.code = 0x09, .most = 4, .qualifier = Q::address, .signal = Signal::retire, .amount = f::fp_operations},
    {.code = 0x0b, .most = 2, .qualifier = Q::address, .signal = Signal::retire, .amount = f::flushed_to_zero},
    {.code = 0x12, .source = Source::clock},
    {.code = 0x13, .source = Source::level_change},
    // register stack engine and hardware page walker
    {.code = 0x2c, .most = 4, .qualifier = Q::data, .signal = Signal::access_retire, .amount = f::walker_inserted},
    {.code = 0x2d, .most = 4, .qualifier = Q::data, .signal = Signal::walk_read},
    // retirement, branches and checks
    {.code = 0x59, .most = 2, .signal = Signal::ia32_retire},
    // system bus
    {.code = 0x80,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_answer_hit,
     .value = dd::bus_answer_hit,
     .amount = f::bus_read},
    {.code = 0x81,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_answer_modified,
     .value = dd::bus_answer_modified,
     .amount = f::bus_read},
    {.code = 0x82,
     .signal = Signal::bus_transaction,
     .mask = kind_and(dd::bus_answer_modified),
     .value = of_kind(BusKind::invalidate_line, dd::bus_answer_modified)},
    {.code = 0x83,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_answer_modified,
     .value = dd::bus_answer_modified,
     .amount = f::bus_invalidates},
    {.code = 0x84,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_answer_modified,
     .value = dd::bus_answer_modified},
    {.code = 0x85,
     .umasks = self_or_any,
     .signal = Signal::bus_snoop,
     .mask = dd::snoop_found_modified,
     .value = dd::snoop_found_modified,
     .amount = f::by_agent},
    {.code = 0x86, .umasks = agents, .signal = Signal::bus_snoop, .amount = f::by_agent},
    {.code = 0x87, .umasks = agents, .signal = Signal::bus_transaction, .amount = f::by_agent},
    {.code = 0x88, .state = State::bus_clocks, .level = f::has_bit<activity::ia64::bus_clocks::data>},
    {.code = 0x8a, .umasks = 0xeee0, .signal = Signal::bus_transaction, .amount = f::bus_memory},
    {.code = 0x8b, .umasks = 0xeeee, .signal = Signal::bus_transaction, .amount = f::bus_memory_read},
    {.code = 0x8c, .umasks = agents, .signal = Signal::bus_transaction, .amount = f::bus_read_data},
    {.code = 0x8d,
     .umasks = agents,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_kind_mask,
     .value = of_kind(BusKind::read_partial),
     .amount = f::by_agent},
    {.code = 0x8e, .umasks = 0x0002, .signal = Signal::bus_snoop, .mask = dd::snoop_self, .value = dd::snoop_self},
    {.code = 0x8f, .umasks = self_or_any, .state = State::bus_clocks, .level = f::snoop_stall},
    {.code = 0x90, .umasks = agents, .signal = Signal::bus_transaction, .amount = f::bus_io},
    {.code = 0x91,
     .umasks = agents,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_kind_mask,
     .value = of_kind(BusKind::io_read),
     .amount = f::by_agent},
    {.code = 0x92, .umasks = 0xece0, .signal = Signal::bus_transaction, .amount = f::bus_write_back},
    {.code = 0x93,
     .umasks = self_or_any,
     .signal = Signal::bus_transaction,
     .mask = dd::bus_kind_mask,
     .value = of_kind(BusKind::lock),
     .amount = f::by_agent},
    {.code = 0x94, .most = 2, .state = State::bus_queues, .level = f::field<bus::memory_reads_shift + 3, 3>},
    {.code = 0x95, .most = 7, .state = State::bus_queues, .level = f::field<bus::memory_reads_shift, 7>},
    {.code = 0x96, .most = 7, .state = State::bus_queues, .level = f::field<bus::snoops_shift, 0xff>},
    {.code = 0x97, .most = 3, .state = State::bus_queues, .level = f::field<bus::in_order_shift, 3>},
    {.code = 0x98, .most = 2, .state = State::bus_queues, .level = f::field<bus::in_order_shift + 2, 3>},
    {.code = 0x99, .most = 7, .state = State::bus_queues, .level = f::field<bus::deferred_shift, 7>},
    {.code = 0x9a, .most = 2, .state = State::bus_queues, .level = f::field<bus::deferred_shift + 3, 3>},
    {.code = 0x9b, .most = 7, .state = State::bus_queues, .level = f::field<bus::requests_shift, 7>},
    {.code = 0x9c, .most = 2, .state = State::bus_queues, .level = f::field<bus::requests_shift + 3, 3>},
    {.code = 0x9d, .signal = Signal::bus_queue_insert},
    {.code = 0x9e, .umasks = 0xfffe, .signal = Signal::pin_assert, .amount = f::pin},
    {.code = 0x9f, .umasks = two_bits, .signal = Signal::pin_assert, .amount = f::high_pin},
    // second level of cache
    {.code = 0xa0,
     .umasks = 0x001f,
     .most = 4,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 0,
     .signal = Signal::queue_cancel,
     .amount = f::queue_cancel0},
    {.code = 0xa1,
     .umasks = 0x31f5,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 0,
     .signal = Signal::fetch_cancel,
     .amount = f::fetch_cancel},
    {.code = 0xa2, .group = Group::l2, .set = 0, .state = State::l2_queue, .level = f::has_bit<queue::has_acquire>},
    {.code = 0xa3, .group = Group::l2, .set = 0, .state = State::l2_queue, .level = f::has_bit<queue::has_release>},
    {.code = 0xa8,
     .umasks = 0xb77f,
     .most = 4,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 0,
     .signal = Signal::queue_cancel,
     .amount = f::queue_cancel2},
    {.code = 0xac,
     .umasks = 0xfff7,
     .most = 4,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 0,
     .signal = Signal::queue_cancel,
     .amount = f::queue_cancel1},
    {.code = 0xb0,
     .umasks = 0x0766,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 1,
     .counters = pmc4_only,
     .signal = Signal::l3_cancel,
     .amount = f::l3_cancel},
    {.code = 0xb0,
     .umasks = 0x0800,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 1,
     .signal = Signal::l3_cancel,
     .amount = f::l3_cancel},
    {.code = 0xb1, .most = 4, .qualifier = Q::data, .group = Group::l2, .set = 1, .signal = Signal::l2_reference},
    {.code = 0xb2,
     .umasks = two_bits,
     .most = 4,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 1,
     .signal = Signal::l2_reference,
     .mask = d::side_data,
     .value = d::side_data,
     .amount = f::l2_data_reference},
    {.code = 0xb4,
     .umasks = 0x7f77,
     .most = 4,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 2,
     .counters = pmc4_only,
     .signal = Signal::force_recirculate,
     .amount = f::recirculated},
    {.code = 0xb5,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 2,
     .signal = Signal::recirculate_try,
     .mask = d::side_data,
     .value = d::side_data},
    {.code = 0xb6,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 2,
     .signal = Signal::recirculate_done,
     .mask = d::side_data,
     .value = d::side_data},
    {.code = 0xb7, .qualifier = Q::data, .group = Group::l2, .set = 2, .signal = Signal::l2_probe},
    {.code = 0xb8,
     .umasks = 0x0077,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 3,
     .signal = Signal::bypass,
     .amount = f::bypass},
    {.code = 0xb8,
     .umasks = 0x1f00,
     .most = 4,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 4,
     .signal = Signal::queue_issue,
     .amount = f::queue_operation},
    {.code = 0xb9, .most = 4, .qualifier = Q::data, .group = Group::l2, .set = 3, .signal = Signal::l2_valid_victim},
    {.code = 0xb9,
     .umasks = 0x0100,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 4,
     .signal = Signal::recirculate_try,
     .mask = d::side_data},
    {.code = 0xba, .most = 2, .qualifier = Q::data, .group = Group::l2, .set = 3, .signal = Signal::l2_store_shared},
    {.code = 0xba,
     .umasks = 0x0100,
     .qualifier = Q::data,
     .group = Group::l2,
     .set = 4,
     .signal = Signal::recirculate_done,
     .mask = d::side_data},
    {.code = 0xbc, .group = Group::l2, .set = 5, .state = State::l2_queue, .level = f::has_bit<queue::full>},
    {.code = 0xbd, .group = Group::l2, .set = 5, .state = State::l2_queue, .level = f::has_bit<queue::data_full>},
    {.code = 0xbe, .group = Group::l2, .set = 5, .state = State::l2_queue, .level = f::has_bit<queue::victims_full>},
    {.code = 0xbf, .group = Group::l2, .set = 5, .state = State::l2_queue, .level = f::has_bit<queue::fills_full>},
    // first level of data cache, data TLBs, data EAR
    {.code = 0xc9,
     .most = 4,
     .qualifier = Q::data,
     .signal = Signal::tlb_insert,
     .mask = d::side_data,
     .value = d::side_data},
};

}  // namespace

std::span<const Event> multiplexer() {
  static const std::vector<Event> table = ia64::with_common_events(own);
  return table;
}

}  // namespace pmusim::pmu::itanium2
