// The queues of the system interface of a processor with two cores: entries, their time in the queue, and collisions.
#include "models/core/ia64/bus.h"

namespace pmusim::core::ia64 {

using act::BusAgent;
using act::BusKind;
using act::InterfaceQueue;
using act::InterfaceWrite;

namespace {

std::uint16_t detail_of(InterfaceQueue queue, unsigned kind, BusAgent agent) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(queue) | kind << act::interface_kind_shift |
                                    (agent == BusAgent::other_core ? act::interface_other_core : 0u));
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
