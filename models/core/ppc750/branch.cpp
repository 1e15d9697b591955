// The branch unit: removes branches from the instruction queue, predicts them and resolves them.
#include "models/core/ppc750/core.h"

namespace pmusim::core::ppc750 {

namespace d = activity::detail;
namespace wait = activity::branch_wait;
using trace::Mispredict;
using trace::ppc::BranchKind;

/// Finds the youngest older writers of the registers that the branch at this position of the queue reads.
Ppc750Core::Inputs Ppc750Core::inputs_of(const Dynamic& branch, unsigned position) {
  const Operation& op = *branch.operation;
  Inputs in;
  const unsigned condition = op.reads_condition ? op.reads.conditions() : 0;
  RegisterSet sought;
  sought.high = condition;
  if (op.branch == BranchKind::to_link) sought.add(trace::ppc::reg_lr);
  if (op.decrements_count || op.branch == BranchKind::to_count) sought.add(trace::ppc::reg_ctr);
  const auto examine = [&](Index index) {
    const Dynamic& w = pool_[index];
    if (w.operation == nullptr || (w.operation->writes.high & sought.high) == 0) return;
    const RegisterSet& writes = w.operation->writes;
    // Values that branches write to LR and CTR stay in the branch unit and are available at once.
    const bool by_branch = w.operation->is_branch();
    if ((writes.conditions() & sought.conditions()) != 0) {
      sought.high &= ~condition;
      in.condition = {index, w.sequence};
      in.condition_ready = writer_ready(in.condition, machine_.settings.condition_delay);
      if (w.finish_at != activity::never) wake_.on(std::max(now_, w.finish_at + machine_.settings.condition_delay) + 1);
    }
    if (sought.link() && writes.link()) {
      sought.remove(trace::ppc::reg_lr);
      in.link_ready = by_branch || writer_ready({index, w.sequence}, 0);
    }
    if (sought.count() && writes.count()) {
      sought.remove(trace::ppc::reg_ctr);
      in.count_ready = by_branch || writer_ready({index, w.sequence}, 0);
      if (!by_branch) in.count = {index, w.sequence};
    }
  };
  for (unsigned i = position; i-- > 0 && sought.high != 0;) examine(queue_[i]);
  for (unsigned i = completion_.size(); i-- > 0 && sought.high != 0;) examine(completion_[i]);
  if (sought.conditions() != 0) {
    for (unsigned field = 0; field < 8; ++field) {
      if ((condition & (1u << field)) != 0) in.ready_at = std::max(in.ready_at, condition_ready_[field]);
    }
    in.condition_ready = in.ready_at <= now_;
    if (!in.condition_ready) wake_.on(in.ready_at);
  }
  return in;
}

void Ppc750Core::handle_branch() {
  unsigned position = 0;
  const auto waits = [&](const Dynamic& b) { return b.operation != nullptr && b.operation->is_branch() && !b.handled; };
  while (!waits(pool_[queue_[position]])) ++position;
  const Index index = queue_[position];
  Dynamic& b = pool_[index];
  const Operation& op = *b.operation;
  if (b.queued >= now_) {
    wake_.on(now_ + 1);
    return machine_.recorder.set(State::branch_unit, 0);
  }
  const Inputs in = inputs_of(b, position);
  const bool needs_link = op.branch == BranchKind::to_link, needs_target_count = op.branch == BranchKind::to_count;
  const bool target_known = (!needs_link || in.link_ready) && (!needs_target_count || in.count_ready);
  const bool inputs_ready = in.condition_ready && in.link_ready && in.count_ready;
  const bool levels_used = predictions_.size() >= machine_.settings.branch_levels;
  if (!inputs_ready) b.waited = true;
  if (levels_used || !target_known) {
    std::uint64_t bits = levels_used ? wait::both_levels_used : 0;
    if (!in.link_ready || (levels_used && !in.condition_ready)) bits |= wait::link_or_condition;
    if (!in.count_ready && (needs_target_count || levels_used)) bits |= wait::count_register;
    return machine_.recorder.set(State::branch_unit, bits);
  }
  machine_.recorder.set(State::branch_unit, 0);

  const bool on_path = b.entry != nullptr;
  const bool actual = on_path && b.entry->instruction.taken;
  const trace::Annotations* notes = on_path ? b.entry->instruction.annotations : nullptr;
  const Mispredict forced = notes != nullptr ? notes->mispredict : Mispredict::unset;
  bool taken = true, predicted = false;
  if (op.conditional) {
    const bool guess = machine_.settings.bht_enabled
                           ? history_.taken(b.named.record.ip >> machine_.settings.bht_index_shift)
                           : op.static_taken;
    // On the wrong path the outcome is unknown, so a branch whose inputs are ready follows its prediction.
    predicted = !inputs_ready || forced == Mispredict::path;
    taken = predicted || !on_path ? guess : actual;
    if (predicted && forced != Mispredict::unset) taken = forced == Mispredict::path ? !actual : actual;
  }
  std::uint16_t detail = 0;
  if (op.conditional) detail |= d::branch_conditional;
  if (taken) detail |= d::branch_taken;
  if (predicted) detail |= d::branch_predicted | (taken ? d::branch_predicted_taken : 0);
  if (predicted && !predictions_.empty()) detail |= d::branch_level_2;
  if (predicted || b.waited) detail |= d::branch_unresolved;
  if (!on_path) detail |= d::branch_wrong_path;
  b.named.record.predicted_taken = predicted && taken;
  machine_.recorder.occur(Signal::branch_handled, b.named, detail);
  b.handled = true;
  --unhandled_branches_;
  wake_.on(now_ + 1);

  const bool folds = op.folds();
  if (folds) machine_.recorder.occur(Signal::fold, b.named);
  if (predicted) {
    const bool level_2 = (detail & d::branch_level_2) != 0;
    predictions_.push({index, b.sequence, taken, level_2, !on_path, folds, now_, in});
  }
  if (folds) queue_.erase(position);
  if (taken) follow(b, position + (folds ? 0 : 1));
  if (!predicted) {
    settle(b, false);
    if (folds) release(index);
  }
}

/// Fetch continues at the target; the BTIC may have the first two instructions. `keep`: entries of the instruction
/// queue that are older than the branch or the branch itself.
void Ppc750Core::follow(const Dynamic& b, unsigned keep) {
  // A trace need not mark an unconditional branch as taken if it is the last instruction or its target is the next
  // address.
  const bool right = b.entry != nullptr && (b.entry->instruction.taken || !b.operation->conditional);
  purge_queue(keep);
  const std::uint64_t ordinal = b.entry != nullptr ? b.ordinal + 1 : cursor_;
  const bool known = right || b.operation->branch == BranchKind::direct;
  const std::uint64_t target = right ? next_of(b.entry->instruction) : b.operation->target;
  redirect(target, right, ordinal, now_ + 1);
  fetch_stopped_ = !known;
  if (!known || !machine_.settings.btic_enabled) return;
  if (btic_.lookup(target >> 2)) {
    deliver(2, now_);
  } else {
    btic_.fill(target >> 2);
  }
}

/// Records the outcome of a branch and trains the predictor.
void Ppc750Core::settle(Dynamic& b, bool mispredicted) {
  if (b.entry == nullptr) return;
  b.named.record.taken = b.entry->instruction.taken || !b.operation->conditional;
  b.named.record.mispredicted = mispredicted;
  if (b.operation->conditional)
    history_.update(b.named.record.ip >> machine_.settings.bht_index_shift, b.entry->instruction.taken);
  if (b.operation->folds()) program_.complete(b.ordinal);
}

/// Resolves the oldest predicted branch at the end of the cycle.
void Ppc750Core::resolve_branch() {
  const Prediction& oldest = predictions_[0];
  if (oldest.wrong_path) return;  // it is removed when the branch before it resolves
  if (oldest.handled >= now_ || oldest.inputs.ready_at > now_)
    return wake_.on(std::max(now_ + 1, oldest.inputs.ready_at));
  const Prediction p = oldest;
  const auto arrived = [&](Writer writer, Cycle extra) {
    if (writer.sequence == 0 || writer_ready(writer, extra)) return true;
    const Cycle finish = pool_[writer.index].finish_at;
    if (finish != activity::never) wake_.on(finish + 1 + extra);
    return false;
  };
  if (!arrived(p.inputs.condition, machine_.settings.condition_delay) || !arrived(p.inputs.count, 0)) return;

  Dynamic& b = pool_[p.branch];
  const trace::Instruction& fact = b.entry->instruction;
  const bool correct = fact.taken == p.taken;
  std::uint16_t detail = d::branch_conditional | d::branch_predicted;
  if (fact.taken) detail |= d::branch_taken;
  if (correct) detail |= d::branch_correct;
  if (p.level_2) detail |= d::branch_level_2;
  if (p.taken) detail |= d::branch_predicted_taken;
  predictions_.pop_front();
  const std::uint64_t next_pc = next_of(fact), next_ordinal = b.ordinal + 1;
  settle(b, !correct);
  machine_.recorder.occur(Signal::branch_resolved, b.named, detail);
  if (p.folded) release(p.branch);
  wake_.on(now_ + 1);
  if (correct) return;
  flush_behind(p.sequence);
  redirect(next_pc, true, next_ordinal, now_ + machine_.settings.branch_redirect);
}

}  // namespace pmusim::core::ppc750
