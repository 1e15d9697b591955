#include "models/core/athlon/branch_prediction.h"

namespace pmusim::core::athlon {

using trace::x86::BranchKind;

BranchPrediction::BranchPrediction(const Settings& settings)
    : settings_(settings),
      targets_(settings.btb_entries),
      counters_(1u << (settings.history_bits + settings.history_address_bits),
                static_cast<std::uint8_t>(settings.history_start)),
      stack_(settings.return_stack_entries) {}

std::uint32_t BranchPrediction::counter_index(std::uint64_t pc) const {
  const std::uint32_t address = static_cast<std::uint32_t>(pc >> 4) & ((1u << settings_.history_address_bits) - 1);
  const std::uint32_t history = state_.history & ((1u << settings_.history_bits) - 1);
  return history << settings_.history_address_bits | address;
}

std::uint16_t BranchPrediction::push(std::uint64_t address) {
  stack_[state_.stack_top] = address;
  state_.stack_top = static_cast<std::uint16_t>((state_.stack_top + 1) % stack_.size());
  if (state_.stack_live == stack_.size()) return activity::detail::ras_push | activity::detail::ras_overwrites_live;
  ++state_.stack_live;
  return activity::detail::ras_push;
}

bool BranchPrediction::pop(std::uint64_t& address) {
  if (state_.stack_live == 0) return false;
  state_.stack_top = static_cast<std::uint16_t>((state_.stack_top + stack_.size() - 1) % stack_.size());
  --state_.stack_live;
  address = stack_[state_.stack_top];
  return true;
}

Prediction BranchPrediction::predict(const StaticCode& code) {
  Prediction p;
  const std::uint64_t fall_through = code.pc + code.length;
  p.next = fall_through;
  const Target* known = find(code.pc);
  switch (code.branch) {
    case BranchKind::none:
      break;
    case BranchKind::conditional:
    case BranchKind::loop:
      p.counter = counter_index(code.pc);
      p.taken = known != nullptr && counters_.taken(p.counter);
      if (p.taken) p.next = known->target;
      state_.history = state_.history << 1 | (p.taken ? 1 : 0);
      break;
    case BranchKind::jump:
    case BranchKind::call:
      p.taken = true;
      p.late = known == nullptr;
      p.next = known != nullptr ? known->target : code.target;
      if (code.branch == BranchKind::call) p.stack_detail = push(fall_through);
      break;
    case BranchKind::indirect_jump:
    case BranchKind::indirect_call:
      p.taken = known != nullptr;
      if (known != nullptr) p.next = known->target;
      if (code.branch == BranchKind::indirect_call) p.stack_detail = push(fall_through);
      break;
    case BranchKind::ret:
      p.taken = pop(p.next);
      if (p.taken) p.stack_detail = activity::detail::ras_predicts;
      break;
    case BranchKind::far_transfer:  // not predicted, but a far call pushes
      if (code.far_call) p.stack_detail = push(fall_through);
      break;
  }
  return p;
}

void BranchPrediction::train(const StaticCode& code, std::uint32_t counter, bool taken, std::uint64_t target) {
  if (code.branch == BranchKind::conditional || code.branch == BranchKind::loop) counters_.update(counter, taken);
  if (taken && code.branch != BranchKind::ret && code.branch != BranchKind::far_transfer) {
    targets_[code.pc & (targets_.size() - 1)] = {code.pc, target};
  }
}

}  // namespace pmusim::core::athlon
