#include "models/core/ia64/bus.h"

#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

namespace dd = act::detail;
using act::BusAgent;
using act::BusKind;
using act::InterfaceQueue;
using act::InterfaceWrite;

namespace {

constexpr std::uint64_t address_clocks = 2;  ///< a request takes two bus clocks of the address bus

std::uint16_t agent_bits(BusAgent agent) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(agent) << dd::bus_agent_shift);
}
bool is_read(BusKind kind) {
  using enum BusKind;
  return is_one_of(kind, {read_line, read_invalidate_line, read_current, read_partial, io_read});
}
bool is_full_line(BusKind kind) {
  using enum BusKind;
  return is_one_of(kind, {read_line, read_invalidate_line, write_line, read_current});
}
bool is_write(BusKind kind) {
  return is_one_of(kind, {BusKind::write_line, BusKind::write_partial, BusKind::io_write});
}

}  // namespace

Bus::Bus(Machine& machine)
    : machine_(machine), requests_(machine.settings.request_queue), in_order_(machine.settings.in_order_queue) {
  set_ratio(machine.settings.bus_numerator, machine.settings.bus_denominator);
}

Cycle Bus::address_phase(Cycle at) {
  const Cycle start = edge(std::max(at, address_free_));
  const Cycle granted = edge(in_order_.free_from(start));
  address_free_ = edge(granted, address_clocks);
  return granted;
}

Cycle Bus::transfer(Cycle from, std::uint64_t clocks, BusAgent agent) {
  const Cycle start = edge(std::max(from, data_free_));
  constexpr std::array whose = {Level::count_, Level::bus_data_other, Level::bus_data_io, Level::bus_data_core};
  const Level agents = whose[static_cast<std::size_t>(agent)];
  for (std::uint64_t i = 0; i < clocks; ++i) {
    const Cycle clock = edge(start, i);
    machine_.schedule.occupy(clock, clock + 1, Level::bus_data);
    if (!machine_.settings.split()) continue;
    if (agents != Level::count_) machine_.schedule.occupy(clock, clock + 1, agents);
    if (i != 0 || (start == data_free_ && start != 0)) machine_.schedule.occupy(clock, clock + 1, Level::back_to_back);
  }
  return data_free_ = edge(start, clocks);
}

/// A snoop phase is stalled for one bus clock.
void Bus::stall(BusAgent agent, Cycle at) {
  constexpr std::array levels = {Level::snoop_stall_self, Level::snoop_stall_other, Level::snoop_stall_io,
                                 Level::snoop_stall_core};
  machine_.schedule.occupy(at, at + 1, levels[static_cast<std::size_t>(agent)]);
}

Bus::Reply Bus::transact(const Wish& wish, Cycle at) {
  const Settings& s = machine_.settings;
  if (wish.access != nullptr) machine_.schedule.occur(inserts_.next(at), Signal::bus_queue_insert, wish.access);
  const Cycle address = address_phase(at);
  requests_.take(address);
  if (address > at) machine_.schedule.occupy(at, address, Level::bus_requests);
  const Cycle snooped = edge(address, s.snoop_clocks);

  LineState other = LineState::invalid;
  const bool coherent = wish.kind == BusKind::read_line || wish.kind == BusKind::read_invalidate_line ||
                        wish.kind == BusKind::invalidate_line;
  if (const auto found = elsewhere_.find(wish.address & ~(s.l2_line - 1)); coherent && found != elsewhere_.end()) {
    other = found->second;
    if (wish.kind == BusKind::read_line) {
      found->second = LineState::shared;
    } else {
      elsewhere_.erase(found);
    }
  }
  std::uint16_t detail = static_cast<std::uint16_t>(wish.kind) | agent_bits(BusAgent::self);
  if (is_full_line(wish.kind)) detail |= dd::bus_full_line;
  if (wish.for_data) detail |= dd::bus_for_data;
  if (wish.clean_castout) detail |= dd::bus_clean_castout;
  const bool modified = other == LineState::modified || other == LineState::owned;
  if (modified) {
    detail |= dd::bus_answer_modified;
    // The owner's write-back holds the snoop phase for one bus clock.
    stall(BusAgent::self, edge(snooped));
  } else if (other != LineState::invalid) {
    detail |= dd::bus_answer_hit;
  }
  machine_.schedule.occur(snooped, Signal::bus_transaction, wish.access, detail);

  const std::uint64_t clocks = is_full_line(wish.kind) ? s.bus_line_clocks : 1;
  Reply reply;
  reply.dirty = modified && wish.kind == BusKind::read_invalidate_line;
  reply.shared = other != LineState::invalid && wish.kind == BusKind::read_line;
  if (is_read(wish.kind)) {
    // The chipset defers a memory read: the read leaves the in-order queue and is answered later. A modified line of
    // another cache is answered in order.
    const Cycle transfer_cycles = clocks * clocks_ / per_;
    const Cycle wanted =
        std::max(snooped, at + (s.memory_cycles > transfer_cycles ? s.memory_cycles - transfer_cycles : 0));
    reply.done = transfer(modified ? snooped : wanted, clocks, BusAgent::self);
    const Cycle leaves = modified ? reply.done : snooped;
    in_order_.take(leaves);
    machine_.schedule.occupy(address, leaves, Level::in_order);
    if (!modified) machine_.schedule.occupy(snooped, reply.done, Level::deferred);
    machine_.schedule.occupy(address, reply.done, Level::bus_reads);
  } else {
    reply.done = is_write(wish.kind) ? transfer(snooped, clocks, BusAgent::self) : snooped;
    in_order_.take(reply.done);
    machine_.schedule.occupy(address, reply.done, Level::in_order);
  }
  if (s.split()) {
    queue_up(wish, at, reply.done);
    insert(InterfaceQueue::in_order, 0, wish.address, BusAgent::self, address, snooped);
  }
  return reply;
}

void Bus::snoop(std::uint16_t detail, bool stalls, BusAgent agent, Cycle at) {
  const Cycle handled = edge(at, machine_.settings.snoop_clocks);
  machine_.schedule.occupy(at, handled, Level::snoops);
  if (stalls) stall(agent, handled);
  machine_.schedule.occur(handled, Signal::bus_snoop, nullptr, detail | agent_bits(agent));
}

void Bus::foreign(BusKind kind, BusAgent agent, std::uint64_t line, bool full_line, LineState found, bool in_l1i,
                  Cycle at) {
  const Cycle address = address_phase(at);
  const Cycle snooped = edge(address, machine_.settings.snoop_clocks);
  const bool modified = found == LineState::modified || found == LineState::owned;
  std::uint16_t detail = static_cast<std::uint16_t>(kind) | agent_bits(agent) | dd::bus_for_data;
  if (full_line && is_full_line(kind)) detail |= dd::bus_full_line;
  if (modified) {
    detail |= dd::bus_answer_modified;
  } else if (found != LineState::invalid) {
    detail |= dd::bus_answer_hit;
  }
  machine_.schedule.occur(snooped, Signal::bus_transaction, nullptr, detail);
  Cycle done = snooped;
  if (is_read(kind) || is_write(kind))
    done = transfer(snooped, full_line ? machine_.settings.bus_line_clocks : 1, agent);
  in_order_.take(done);
  machine_.schedule.occupy(address, done, Level::in_order);
  const bool memory = kind <= BusKind::write_partial;
  if (machine_.settings.split()) {
    insert(InterfaceQueue::in_order, 0, line, agent, address, done);
    if (memory) {
      using act::InterfaceSnoop;
      const InterfaceSnoop result = modified                                ? InterfaceSnoop::hit_modified
                                    : found != LineState::invalid || in_l1i ? InterfaceSnoop::hit
                                                                            : InterfaceSnoop::miss;
      insert(InterfaceQueue::snoop_coalescing, static_cast<unsigned>(result), line, agent, address, snooped);
    }
    // A line modified here must be written back for the other agent.
    if (modified) {
      insert(InterfaceQueue::write, static_cast<unsigned>(InterfaceWrite::implicit), line, BusAgent::self, snooped,
             done);
    }
  }
  if (!memory) return;
  // The levels above may hold the lines of the last level: the bus logic snoops them, too.
  const bool asks_above = found != LineState::invalid || in_l1i;
  snoop((modified ? dd::snoop_found_modified : 0) | (in_l1i ? dd::snoop_reaches_l1i : 0) |
            (asks_above ? dd::snoop_self : 0),
        modified, agent, address);
}

void Bus::back_snoop(LineState found, bool in_l1i, Cycle at) {
  const bool modified = found == LineState::modified;
  snoop(dd::snoop_self | (modified ? dd::snoop_found_modified : 0) | (in_l1i ? dd::snoop_reaches_l1i : 0), modified,
        BusAgent::self, at);
}

// The queues of the system interface of a processor with two cores: entries, their time in the queue, and collisions.

namespace {

std::uint16_t detail_of(InterfaceQueue queue, unsigned kind, BusAgent agent) {
  return static_cast<unsigned>(queue) | kind << act::interface_kind_shift |
         (agent == BusAgent::other_core ? act::interface_other_core : 0u);
}

/// Kind of a write by its size: lines are written back, less is what write coalescing has gathered.
InterfaceWrite write_kind(const Bus::Wish& wish) {
  if (wish.kind == BusKind::write_line)
    return wish.non_temporal ? InterfaceWrite::non_temporal : InterfaceWrite::explicit_;
  constexpr std::uint32_t octet = 8, double_octet = 16;
  const std::uint32_t size = wish.access != nullptr ? wish.access->record.size : octet;
  if (size > double_octet) return InterfaceWrite::coalesced_32;
  if (size > octet) return InterfaceWrite::coalesced_16;
  const bool crosses = wish.address % octet + size > octet;
  return crosses ? InterfaceWrite::coalesced_8b : InterfaceWrite::coalesced_8a;
}

}  // namespace

void Bus::occupy_interface(InterfaceQueue queue, bool other_core, Cycle from, Cycle to) {
  if (queue > InterfaceQueue::in_order || to <= from) return;  // the write address queue shows no level
  const Level first = other_core ? Level::foreign_requests : Level::own_requests;
  machine_.schedule.occupy(from, to,
                           static_cast<Level>(static_cast<std::size_t>(first) + static_cast<std::size_t>(queue)));
}

/// An entry, with or without a requester, and its collisions in the queues with which its address is compared.
void Bus::insert(InterfaceQueue queue, unsigned kind, std::uint64_t line, BusAgent agent, Cycle from, Cycle to,
                 Access* access) {
  line &= ~(machine_.settings.l2_line - 1);
  if (queue != InterfaceQueue::in_order)
    machine_.schedule.occur(from, Signal::interface_insert, access, detail_of(queue, kind, agent));
  if (queue == InterfaceQueue::snoop_coalescing)
    machine_.schedule.occur(to, Signal::interface_signoff, nullptr, detail_of(queue, kind, agent));
  occupy_interface(queue, agent == BusAgent::other_core, from, to);
  if (queue != InterfaceQueue::write) collide(line, agent, from);
  queued_.push_back({line, to, queue});
}

void Bus::collide(std::uint64_t line, BusAgent agent, Cycle at) {
  std::erase_if(queued_, [at](const Queued& q) { return q.until <= at; });
  for (const Queued& q : queued_) {
    if (q.line != line) continue;
    if (q.queue == InterfaceQueue::write) {
      machine_.schedule.occur(at, Signal::interface_collision, nullptr,
                              detail_of(InterfaceQueue::write_address, 0, agent));
    } else if (q.queue == InterfaceQueue::clean_castout || q.queue == InterfaceQueue::in_order) {
      machine_.schedule.occur(at, Signal::interface_collision, nullptr, detail_of(q.queue, 0, agent));
    }
  }
}

/// The core's own requests: reads, writes, castouts of clean lines.
void Bus::queue_up(const Wish& wish, Cycle from, Cycle to) {
  if (wish.clean_castout) {
    insert(InterfaceQueue::clean_castout, 0, wish.address, BusAgent::self, from, to, wish.access);
  } else if (wish.kind == BusKind::write_line || wish.kind == BusKind::write_partial) {
    insert(InterfaceQueue::write, static_cast<unsigned>(write_kind(wish)), wish.address, BusAgent::self, from, to,
           wish.access);
  } else {
    insert(InterfaceQueue::request, 0, wish.address, BusAgent::self, from, to, wish.access);
  }
}

}  // namespace pmusim::core::ia64
