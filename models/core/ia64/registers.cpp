#include "models/core/ia64/registers.h"

#include <algorithm>

namespace pmusim::core::ia64 {

namespace cause = act::cause;

namespace {

constexpr std::uint64_t word = 8, slots_of_a_group = 64, collection_slot = 63;

std::uint64_t slot_of(std::uint64_t address) { return address / word % slots_of_a_group; }
unsigned words_between(std::uint64_t from, std::uint64_t to) { return static_cast<unsigned>((to - from) / word); }
std::uint64_t below(std::uint64_t bsp, std::uint64_t registers) {
  return isa::bsp_minus(bsp, static_cast<unsigned>(registers));
}

}  // namespace

/// Address of the next word to store.
std::uint64_t RegisterStack::store_pointer(std::uint64_t bsp) const {
  return below(bsp, dirty_) - (at_collection_ ? word : 0);
}

/// The next word to load is below this address.
std::uint64_t RegisterStack::load_pointer(std::uint64_t bsp) const {
  return clean_ == 0 ? store_pointer(bsp) : below(bsp, dirty_ + clean_);
}

/// Stores words until `count` fewer registers are dirty, and none after that.
RegisterStack::Traffic RegisterStack::spill(std::uint64_t count, std::uint64_t bsp) {
  const std::uint64_t from = store_pointer(bsp);
  dirty_ -= count;
  clean_ += count;
  at_collection_ = slot_of(below(bsp, dirty_)) == 0;
  return {words_between(from, store_pointer(bsp)), false, cause::overflow, from};
}

/// Stores all registers below bsp.
RegisterStack::Traffic RegisterStack::flush(std::uint64_t bsp) {
  const std::uint64_t from = store_pointer(bsp);
  clean_ += dirty_;
  dirty_ = 0;
  at_collection_ = false;
  return {words_between(from, bsp), false, cause::overflow, from};
}

/// Registers below the frame that are in memory become dirty ones; the others are discarded. If the trace does not give
/// the length, as many as fit are loaded.
RegisterStack::Traffic RegisterStack::load(std::uint64_t bsp, std::optional<std::uint32_t> bytes, std::uint64_t room) {
  std::uint64_t wanted = room, from = below(bsp, room);
  if (bytes) {
    const std::uint64_t tear_point = bsp - *bytes / word * word;
    std::uint64_t registers = 0;
    for (std::uint64_t at = tear_point; at < bsp; at += word) registers += slot_of(at) != collection_slot ? 1 : 0;
    if (registers <= room) {
      wanted = registers;
      from = tear_point;
    }
  }
  const std::uint64_t to = load_pointer(bsp);
  const bool missing = wanted > dirty_ + clean_;
  dirty_ = wanted;
  clean_ = 0;
  at_collection_ = from != below(bsp, wanted);
  if (!missing) return {};
  return {words_between(from, to), true, cause::loadrs, from};
}

/// The caller's frame becomes the current one; `bsp` is its address. Its registers that are not in the register stack
/// are loaded.
RegisterStack::Traffic RegisterStack::give_back(std::uint64_t wanted, std::uint64_t bsp) {
  const std::uint64_t to = load_pointer(isa::bsp_plus(bsp, static_cast<unsigned>(wanted)));
  move_bottom(0, wanted);
  const std::uint64_t from_dirty = std::min(wanted, dirty_);
  const std::uint64_t from_clean = std::min(wanted - from_dirty, clean_);
  dirty_ -= from_dirty;
  clean_ -= from_clean;
  if (from_dirty == wanted) return {};
  at_collection_ = false;  // the store pointer goes down with bsp
  if (from_dirty + from_clean == wanted) return {};
  return {words_between(bsp, to), true, cause::underflow, bsp};
}

RegisterStack::Traffic RegisterStack::step(const Operation& op, bool taken, const isa::Frame& before,
                                           const isa::Frame& after, std::uint64_t bsp,
                                           std::optional<std::uint32_t> loadrs) {
  switch (op.slot->kind) {
    case isa::Kind::alloc: {
      // A larger frame takes the registers below it: clean ones are discarded, dirty ones must be stored first.
      const std::uint64_t used = after.sof + dirty_;
      Traffic traffic;
      if (used > registers_) traffic = spill(std::min(used - registers_, dirty_), bsp);
      const std::uint64_t room = registers_ - std::min<std::uint64_t>(registers_, after.sof + dirty_);
      clean_ = std::min(clean_, room);
      return traffic;
    }
    case isa::Kind::cover:
      dirty_ += before.sof;
      move_bottom(before.sof, 0);
      return {};
    case isa::Kind::flushrs:
      return flush(bsp);
    case isa::Kind::loadrs:
      return load(bsp, loadrs, registers_ - std::min<std::uint64_t>(registers_, before.sof));
    case isa::Kind::branch:
      if (!taken) return {};
      if (op.has(act::Kind::call)) {
        dirty_ += before.sol;
        move_bottom(before.sol, 0);
        return {};
      }
      if (op.slot->branch == isa::BranchKind::ret) return give_back(after.sol, bsp);
      return {};
    default:
      return {};
  }
}

namespace cause = act::cause;

unsigned Registers::cause(std::uint32_t number, const Entry& e) const {
  if (loaded(e) && e.cancelled) return cause::cancelled_load;
  if (number < place::floating) return e.producer == Producer::load ? cause::gr_load : cause::gr_alu;
  if (number < place::predicates) return cause::fr;
  return number < place::branches ? cause::predicate : cause::application_or_control;
}

}  // namespace pmusim::core::ia64
