#include "models/core/ia64/register_stack.h"

#include <algorithm>

namespace pmusim::core::ia64 {

namespace cause = act::cause;

RegisterStack::Traffic RegisterStack::spill(std::uint64_t count, std::uint64_t bsp, unsigned why) {
  const std::uint64_t lowest = isa::bsp_minus(bsp, static_cast<unsigned>(dirty_));
  dirty_ -= count;
  clean_ += count;
  return {static_cast<unsigned>(count), false, why, lowest};
}

/// The registers below the frame that memory has are made dirty ones; others are given up. Without a length from the
/// trace it is as many as fit.
RegisterStack::Traffic RegisterStack::load(std::uint64_t bsp, std::optional<std::uint32_t> bytes, std::uint64_t room) {
  constexpr std::uint64_t word = 8, collection = 0x1f8;
  std::uint64_t wanted = room;
  if (bytes) {
    wanted = 0;
    for (std::uint64_t at = bsp - *bytes / word * word; at < bsp; at += word)
      wanted += (at & collection) != collection ? 1 : 0;
    wanted = std::min(wanted, room);
  }
  const std::uint64_t there = dirty_ + clean_;
  dirty_ = wanted;
  clean_ = 0;
  if (wanted <= there) return {};
  return {static_cast<unsigned>(wanted - there), true, cause::loadrs,
          isa::bsp_minus(bsp, static_cast<unsigned>(wanted))};
}

RegisterStack::Traffic RegisterStack::step(const Operation& op, bool taken, const isa::Frame& before,
                                           const isa::Frame& after, std::uint64_t bsp,
                                           std::optional<std::uint32_t> loadrs) {
  switch (op.slot->kind) {
    case isa::Kind::alloc: {
      // The frame grows over what is below: clean registers are lost, dirty ones must be saved first.
      const std::uint64_t used = after.sof + dirty_;
      Traffic traffic;
      if (used > registers_) traffic = spill(std::min(used - registers_, dirty_), bsp, cause::overflow);
      const std::uint64_t room = registers_ - std::min<std::uint64_t>(registers_, after.sof + dirty_);
      clean_ = std::min(clean_, room);
      return traffic;
    }
    case isa::Kind::cover:
      dirty_ += before.sof;
      move_bottom(before.sof, 0);
      return {};
    case isa::Kind::flushrs:
      return spill(dirty_, bsp, cause::overflow);
    case isa::Kind::loadrs:
      return load(bsp, loadrs, registers_ - std::min<std::uint64_t>(registers_, before.sof));
    case isa::Kind::branch:
      if (!taken) return {};
      if (op.has(act::Kind::call)) {
        dirty_ += before.sol;
        move_bottom(before.sol, 0);
        return {};
      }
      if (op.slot->branch == isa::BranchKind::ret) {
        const std::uint64_t wanted = after.sol;
        move_bottom(0, wanted);
        const std::uint64_t from_dirty = std::min(wanted, dirty_);
        const std::uint64_t from_clean = std::min(wanted - from_dirty, clean_);
        dirty_ -= from_dirty;
        clean_ -= from_clean;
        const std::uint64_t missing = wanted - from_dirty - from_clean;
        if (missing == 0) return {};
        return {static_cast<unsigned>(missing), true, cause::underflow, bsp};
      }
      return {};
    default:
      return {};
  }
}

}  // namespace pmusim::core::ia64
