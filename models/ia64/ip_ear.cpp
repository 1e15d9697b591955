#include "models/ia64/ip_ear.h"

#include <algorithm>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {
namespace {

using activity::Block;
using activity::Occurrence;
using activity::Signal;
using activity::State;

/// The first cycle in which an exception or interrupt is entered, except for those of the other thread.
std::optional<Cycle> first_trap(const Block& block, Cycle from, Cycle to, unsigned thread) {
  for (const Occurrence& o : occurrences(block, Signal::trap, from, to)) {
    const unsigned owner = origin_of(block, Signal::trap, o).owner();
    if (owner == thread || owner == no_thread) return block.begin + o.at;
  }
  return std::nullopt;
}

}  // namespace

void IpEar::note_flushes(StateCursor& back_end, Cycle from, Cycle to) {
  namespace i = activity::ia64;
  while (from < to) {
    const Held now = back_end.at(from);
    const bool flush = (now.value & 0xf) == static_cast<std::uint64_t>(i::BackEnd::flush);
    flushed_ = flushed_ || (in_flush_ && !flush);
    in_flush_ = flush;
    from = std::min(to, now.until);
  }
}

void IpEar::write(std::uint64_t ip, Cycle at, BranchRingRegisters& ring) {
  std::uint64_t cycles = 0;
  if (previous_ && at != *previous_) cycles = at - *previous_ - (setup_.counts_distance ? 0 : 1);
  cycles = std::min(cycles, ip_entry::most_cycles);
  ring.write((ip >> ip_entry::ip_shift & ip_entry::ip) | cycles << ip_entry::cycles_shift,
             static_cast<std::uint8_t>(cycles >> ip_entry::low_cycle_bits | (flushed_ ? ip_entry::flushed : 0u)));
  previous_ = at;
  flushed_ = false;
}

void IpEar::record(const Block& block, Cycle from, Cycle to, BranchRingRegisters& ring) {
  StateCursor back_end(block, State::back_end, from);
  Cycle looked_at = from;
  std::uint64_t bundle = 0;
  for (const Occurrence& o : occurrences(block, Signal::retire, from, to)) {
    const Origin origin = origin_of(block, Signal::retire, o);
    if (origin.instruction == nullptr || origin.owner() != setup_.thread) continue;
    const Cycle at = block.begin + o.at;
    const std::uint64_t ip = origin.instruction->ip >> ip_entry::ip_shift;
    if (previous_ == at && (!setup_.per_bundle || ip == bundle)) continue;
    note_flushes(back_end, looked_at, at + 1);
    looked_at = at + 1;
    bundle = ip;
    write(origin.instruction->ip, at, ring);
  }
  note_flushes(back_end, looked_at, to);
}

void IpEar::cut(Cycle now, BranchRingRegisters& ring) {
  const std::uint64_t left = now < until_ ? until_ - now : 0;
  until_ = 0;
  const auto last = ring.last();
  if (!setup_.on || left == 0 || !last) return;
  ring.entries[*last] = (ring.entries[*last] & ~ip_entry::delay) | left;
  ring.flags[*last] |= ip_entry::early_freeze;
}

void IpEar::advance(const Block& block, Cycle from, Cycle to, bool runs, bool frozen, bool foreground,
                    BranchRingRegisters& ring) {
  if (!foreground) {
    if (frozen) cut(from, ring);
    return;
  }
  if (!frozen) {
    if (runs) {
      record(block, from, to, ring);
    } else {
      StateCursor back_end(block, State::back_end, from);
      note_flushes(back_end, from, to);
    }
    return;
  }
  if (from >= until_) return;
  const auto trap = first_trap(block, from, std::min(to, until_), setup_.thread);
  if (runs) record(block, from, trap ? *trap + 1 : std::min(to, until_), ring);
  if (trap) cut(*trap + 1, ring);
}

std::vector<RetiredGroup> decode_ip_ear(const BranchRingRegisters& r) {
  std::vector<RetiredGroup> groups;
  const unsigned first = r.full ? r.next : 0;
  const unsigned entries = r.full ? r.size : r.next;
  for (unsigned i = 0; i < entries; ++i) {
    const unsigned at = (first + i) % r.size;
    RetiredGroup group;
    group.bundle = (r.entries[at] & ip_entry::ip) << ip_entry::ip_shift;
    group.cycles = static_cast<unsigned>(r.entries[at] >> ip_entry::cycles_shift) |
                   (r.flags[at] & ip_entry::high_cycles) << ip_entry::low_cycle_bits;
    group.flushed = (r.flags[at] & ip_entry::flushed) != 0;
    if ((r.flags[at] & ip_entry::early_freeze) != 0) {
      group.early_freeze = static_cast<unsigned>(r.entries[at] & ip_entry::delay);
      group.bundle &= ~(ip_entry::delay << ip_entry::ip_shift);
    }
    groups.push_back(group);
  }
  return groups;
}

}  // namespace pmusim::pmu::ia64
