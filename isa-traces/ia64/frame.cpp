// Derives the current frame marker, backing store address and speculation outcomes from the instructions.
#include <algorithm>

#include "operation.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/text.h"

namespace pmusim::trace::ia64 {

std::uint64_t Frame::marker() const {
  return sof | static_cast<std::uint64_t>(sol) << 7 | static_cast<std::uint64_t>(sor) << 14 |
         static_cast<std::uint64_t>(rrb_gr) << 18 | static_cast<std::uint64_t>(rrb_fr) << 25 |
         static_cast<std::uint64_t>(rrb_pr) << 32;
}

Frame Frame::from_marker(std::uint64_t marker) {
  const auto part = [&](unsigned low, unsigned bits) {
    return static_cast<std::uint8_t>(marker >> low & ((1u << bits) - 1));
  };
  return {part(0, 7), part(7, 7), part(14, 4), part(18, 7), part(25, 7), part(32, 6)};
}

std::uint64_t bsp_plus(std::uint64_t bsp, unsigned registers) {
  return bsp + 8 * (registers + ((bsp >> 3 & 63) + registers) / 63);
}
std::uint64_t bsp_minus(std::uint64_t bsp, unsigned registers) {
  const int collections = (62 - static_cast<int>(bsp >> 3 & 63) + static_cast<int>(registers)) / 63;
  return bsp - 8 * (std::uint64_t{registers} + static_cast<unsigned>(collections));
}

void FrameTracker::enter(unsigned sol) {
  callers_.push_back(frame_);
  bsp_ = bsp_plus(bsp_, sol);
  frame_ = {static_cast<std::uint8_t>(frame_.sof - sol), 0, 0, 0, 0, 0};
}

void FrameTracker::leave() {
  if (callers_.empty()) return;
  frame_ = callers_.back();
  callers_.pop_back();
  bsp_ = bsp_minus(bsp_, frame_.sol);
}

void rotate(Frame& frame) {
  const auto down = [](std::uint8_t base, unsigned size) {
    return static_cast<std::uint8_t>(size == 0 ? 0 : (base + size - 1) % size);
  };
  frame.rrb_gr = down(frame.rrb_gr, 8u * frame.sor);
  frame.rrb_fr = down(frame.rrb_fr, 96);
  frame.rrb_pr = down(frame.rrb_pr, 48);
}

void FrameTracker::rotate() { ia64::rotate(frame_); }

void FrameTracker::step(const Slot& slot, bool taken) {
  if (slot.kind == Kind::alloc) {
    frame_.sof = slot.sof;
    frame_.sol = slot.sol;
    frame_.sor = slot.sor;
  } else if (slot.kind == Kind::cover) {
    bsp_ = bsp_plus(bsp_, frame_.sof);
    frame_ = {};
  } else if (slot.kind == Kind::clrrrb) {
    if (slot.mnemonic == "clrrrb") frame_.rrb_gr = frame_.rrb_fr = 0;
    frame_.rrb_pr = 0;
  } else if (slot.kind == Kind::branch) {
    const BranchKind branch = slot.branch;
    if (taken && (branch == BranchKind::call || branch == BranchKind::indirect_call)) enter(frame_.sol);
    if (taken && branch == BranchKind::ret) leave();
    // Rotates, unless ar.ec was already 0 at the end of the loop; in this case a key of the line corrects it.
    if (branch == BranchKind::ctop || branch == BranchKind::cexit || branch == BranchKind::wtop ||
        branch == BranchKind::wexit)
      rotate();
  }
}

void FrameTracker::apply(const Annotations& annotations) {
  if (annotations.cfm) frame_ = Frame::from_marker(*annotations.cfm);
  if (annotations.bsp) bsp_ = *annotations.bsp;
}

void FrameTracker::step(const Bundle& bundle, const Instruction& executed) {
  for (unsigned i = 0; i < 3; ++i) {
    if (executed.mask[i] == 'x') {
      step(bundle.slots[i], executed.taken && i == taken_slot(executed.mask));
    } else if (executed.mask[i] == 'p' && bundle.slots[i].unpredicated) {
      step(bundle.slots[i], false);
    }
  }
  if (executed.annotations != nullptr) apply(*executed.annotations);
}

Speculation speculation_of(const Bundle& bundle, unsigned slot, const Instruction& executed) {
  const Slot& s = bundle.slots[slot];
  if (executed.mask[slot] != 'x') return Speculation::none;
  const bool accessed = std::any_of(executed.accesses.begin(), executed.accesses.end(),
                                    [&](const Access& access) { return access.slot == slot; });
  switch (s.kind) {
    case Kind::check_speculation:
    case Kind::check_advanced:
      return executed.taken && slot == taken_slot(executed.mask) ? Speculation::failed : Speculation::hit;
    case Kind::load:
    case Kind::fp_load:
    case Kind::fp_load_pair:
      if (s.is_check_load()) return accessed ? Speculation::failed : Speculation::hit;
      if (s.load_kind >= LoadKind::speculative && s.load_kind <= LoadKind::speculative_advanced)
        return accessed ? Speculation::loaded : Speculation::deferred;
      return Speculation::none;
    default:
      return Speculation::none;
  }
}

}  // namespace pmusim::trace::ia64
