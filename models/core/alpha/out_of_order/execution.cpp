// From issue to the outcome: times of results and outcomes, replay traps, kills.
#include "models/core/alpha/out_of_order/core.h"

namespace pmusim::core::alpha::out_of_order {

namespace d = activity::detail;

bool OutOfOrderCore::may_issue(Sequence sequence) {
  const StaticCode& code = *flight_.at(sequence).code;
  if (code.touches_memory()) return load_store_.may_issue(sequence);
  if (code.work == StaticCode::Work::memory_barrier) {
    return sequence == flight_.retired && load_store_.drained();
  }
  return true;
}

void OutOfOrderCore::issued(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  const StaticCode& code = *operation.code;
  const Cycle now = machine_.agenda.now();
  const PipeRule& rule = *operation.rule;
  const bool fp = rule.queue == Queue::fp;
  if (code.touches_memory()) {
    operation.complete = now + pipeline_.memory_retire - fetch_to_issue;
    load_store_.issue(sequence);
    return;
  }
  const bool subroutine = code.has(act::Kind::jump) || code.branch == StaticCode::Branch::subroutine;
  if (subroutine) operation.complete = now + pipeline_.jump_retire - fetch_to_issue;
  if (fp && !code.is_branch()) operation.complete = now + pipeline_.fp_retire + rule.latency - fetch_to_issue;
  if (operation.line == no_line) return;
  if (code.is_branch()) {
    const unsigned penalty = code.has(act::Kind::jump) ? pipeline_.jump_penalty : pipeline_.mispredict_penalty;
    const Cycle at = now + OutOfOrderSettings::from_issue(penalty);
    operation.complete = std::max(operation.complete, at + 1);
    resolves_.push_back({at, sequence});
    resolve_at_ = std::min(resolve_at_, at);
    machine_.agenda.at(at);
    return;
  }
  const trace::Annotations* notes = operation.notes;
  const bool arithmetic = notes != nullptr && notes->trap == trace::Trap::arithmetic;
  const bool mt_fpcr =
      code.work == StaticCode::Work::fp_control && code.write_count != 0 && code.writes[0] == trace::alpha::reg_fpcr;
  if (!arithmetic && !mt_fpcr) return;
  operation.trap = arithmetic ? act::Trap::arithmetic : act::Trap::mt_fpcr;
  const unsigned penalty =
      fp && arithmetic ? pipeline_.fp_arithmetic_penalty + rule.latency : pipeline_.arithmetic_penalty;
  operation.trap_at = now + OutOfOrderSettings::from_issue(penalty);
  machine_.agenda.at(operation.trap_at);
}

void OutOfOrderCore::condemn(Sequence sequence, act::Replay why, Cycle at) {
  Operation& operation = flight_.at(sequence);
  operation.result = operation.complete = activity::never;
  if (operation.condemned) return;
  operation.condemned = true;
  replaying_.push_back({at, sequence, why});
  machine_.agenda.at(at);
}

void OutOfOrderCore::replay() {
  const Cycle now = machine_.agenda.now();
  const Replaying* oldest = nullptr;
  for (const Replaying& r : replaying_) {
    if (r.at > now) {
      machine_.agenda.at(r.at);
    } else if (oldest == nullptr || r.sequence < oldest->sequence) {
      oldest = &r;
    }
  }
  if (oldest == nullptr) return;
  const Replaying trap = *oldest;
  Operation& operation = flight_.at(trap.sequence);
  Instruction& instruction = flight_.record(trap.sequence);
  instruction.more.trap = act::Trap::replay;
  instruction.more.replay = trap.why;
  machine_.recorder.occur(Signal::replay_trap, instruction, static_cast<std::uint16_t>(trap.why));
  const std::uint64_t line = operation.line;
  const bool wrong_path = operation.wrong_path;
  const std::uint64_t pc = instruction.record.ip;
  kill(trap.sequence);
  if (wrong_path) {
    front_.refetch_wrong(pc, now + 1);
  } else {
    front_.redirect(line, now + 1);
  }
}

void OutOfOrderCore::resolve_branches() {
  const Cycle now = machine_.agenda.now();
  while (true) {
    // Finds the oldest branch that is due: its misprediction kills the younger ones.
    std::size_t found = resolves_.size();
    resolve_at_ = activity::never;
    for (std::size_t i = 0; i < resolves_.size(); ++i) {
      if (resolves_[i].at > now) {
        resolve_at_ = std::min(resolve_at_, resolves_[i].at);
      } else if (found == resolves_.size() || resolves_[i].sequence < resolves_[found].sequence) {
        found = i;
      }
    }
    if (found == resolves_.size()) return;
    const Sequence sequence = resolves_[found].sequence;
    resolves_.erase(resolves_.begin() + static_cast<std::ptrdiff_t>(found));
    Operation& operation = flight_.at(sequence);
    const bool conditional = operation.code->has(act::Kind::conditional_branch);
    const bool taken = operation.taken || !conditional;
    std::uint16_t detail = d::branch_predicted;
    if (!operation.mispredicted) detail |= d::branch_correct;
    if (conditional) detail |= d::branch_conditional;
    if (taken) detail |= d::branch_taken;
    if (operation.predicted_taken) detail |= d::branch_predicted_taken;
    flight_.occur_changed(machine_.recorder, Signal::branch_resolved, sequence, detail,
                          [&operation](activity::InstructionRecord& record, act::Instruction& more) {
                            describe_outcome(record, more, operation);
                          });
    operation.resolved = true;
    machine_.agenda.changed();
    if (!operation.mispredicted) continue;
    const std::uint64_t line = operation.line;
    kill(sequence + 1);
    front_.correct(operation);
    front_.redirect(line + 1, now + 1);
  }
}

void OutOfOrderCore::kill(Sequence from) {
  const Cycle now = machine_.agenda.now();
  for (Sequence s = from; s < flight_.fetched; ++s) {
    const Operation& operation = flight_.at(s);
    if (!operation.first) continue;
    flight_.occur_changed(machine_.recorder, Signal::kill, s, 0,
                          [&operation, delay = s == flight_.retired ? now - last_retired_ : 0](
                              activity::InstructionRecord& record, act::Instruction& more) {
                            record.predicted_taken = operation.predicted_taken;
                            more.killed_early = !operation.mapped;
                            more.inum_delay = delay;
                          });
  }
  held_up_ = 0;
  std::erase_if(resolves_, [from](const Resolve& r) { return r.sequence >= from; });
  resolve_at_ = activity::never;
  for (const Resolve& r : resolves_) resolve_at_ = std::min(resolve_at_, r.at);
  std::erase_if(replaying_, [from](const Replaying& r) { return r.sequence >= from; });
  map_.kill(from);
  load_store_.kill(from);
  queues_.kill(from);
  front_.kill(from);
  machine_.agenda.changed();
}

}  // namespace pmusim::core::alpha::out_of_order
