#include "models/core/alpha/out_of_order/core.h"

namespace pmusim::core::alpha::out_of_order {

namespace d = activity::detail;

OutOfOrderCore::OutOfOrderCore(Chip chip, std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters)
    : machine_(chip, parameters),
      pipeline_(chip, parameters),
      program_(std::move(trace)),
      flight_(pipeline_.fetch_groups),
      memory_(machine_),
      translation_(machine_),
      modes_(machine_),
      stimulus_(machine_, memory_, translation_, modes_),
      front_(machine_, pipeline_, flight_, memory_, translation_, program_, stimulus_, modes_, *this),
      load_store_(machine_, pipeline_, flight_, memory_, translation_, program_, front_, *this),
      queues_(machine_, pipeline_, flight_, *this),
      map_(machine_, pipeline_, flight_, queues_, load_store_, stimulus_, front_) {}

// --- the clock -------------------------------------------------------------------------------------------

void OutOfOrderCore::step() {
  machine_.agenda.start(now_);
  machine_.recorder.begin_cycle(now_);
  stimulus_.begin_cycle();
  if (clock_stopped_until_ != 0) {
    if (now_ < clock_stopped_until_) {
      machine_.agenda.at(clock_stopped_until_);
      return;
    }
    clock_stopped_until_ = 0;
    machine_.recorder.set(State::clock, 1);
  }
  memory_.begin_cycle();
  load_store_.take_returned();
  if (own_interrupt_due_ && !in_flow_ && !modes_.pal()) enter_own_interrupt();
  front_.poll_gate();
  if (!replaying_.empty()) replay();
  if (resolving_.next() <= now_) resolve_branches();
  machine_.agenda.at(resolving_.next());
  retire();
  load_store_.step();
  queues_.issue();
  map_.step();
  front_.fetch();
}

// --- directives ------------------------------------------------------------------------------------------

Gate OutOfOrderCore::pass(Directives& directives, bool at_start) {
  while (directives.due()) {
    if (machine_.agenda.now() < paused_until_) {
      machine_.agenda.at(paused_until_);
      return Gate::wait;
    }
    const trace::Directive& directive = directives.next();
    const When when = stimulus_.when(directive, front_.line());
    const bool entry = directive.name == "interrupt" || directive.name == "mcheck" || directive.name == "reset";
    if (in_flow_ || in_handler_) return Gate::wait;
    if (when != When::at_once) {
      // True if no instruction of the correct path is in flight.
      const bool rest = flight_.empty() || flight_.at(flight_.retired).wrong_path;
      const bool ready = at_start && rest && load_store_.drained() && (when != When::quiet || memory_.quiet());
      if (!ready) return entry ? Gate::run_ahead : Gate::wait;
    }
    const Effect effect = stimulus_.act(directive, front_.line());
    ++directives.done;
    machine_.agenda.changed();
    if (effect.flow != act::Trap::none) {
      Instruction* const by = flight_.empty() ? nullptr : &flight_.record(flight_.retired);
      enter_flow(effect.flow, by, front_.line());
      by_instruction_ = false;
      return Gate::wait;
    }
    if (effect.drops_fetched && !flight_.empty()) kill(flight_.retired);
    if (effect.pause != 0) {
      paused_until_ = machine_.agenda.now() + 1 + effect.pause;
      front_.hold_until(paused_until_);
      if (effect.clock_stops) {
        machine_.recorder.set_next(State::clock, 0);
        clock_stopped_until_ = paused_until_;
      }
      return Gate::wait;
    }
  }
  return Gate::open;
}

// --- perturbing mode ---------------------------------------------------------------------------------------

void OutOfOrderCore::take_interrupt(unsigned handler_instructions) {
  if (in_handler_ || own_interrupt_due_ || own_flow_) return;
  in_handler_ = own_interrupt_due_ = true;
  handler_instructions_ = std::max(handler_instructions, 1u);
  wake();
}

void OutOfOrderCore::enter_own_interrupt() {
  own_interrupt_due_ = false;
  own_flow_ = true;
  std::uint64_t resume = front_.line();
  for (Sequence s = flight_.retired; s != flight_.fetched; ++s) {
    if (flight_.at(s).line == no_line) continue;
    resume = flight_.at(s).line;
    break;
  }
  Instruction* const next = flight_.empty() ? nullptr : &flight_.record(flight_.retired);
  enter_flow(act::Trap::interrupt, next, resume);
}

// --- from issue to the outcome: times of results and outcomes, replay traps, kills ----------------------------------

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
    resolving_.add(at, sequence);
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
  while (const std::optional<Sequence> due = resolving_.take(now)) {
    const Sequence sequence = *due;
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
  resolving_.kill(from);
  std::erase_if(replaying_, [from](const Replaying& r) { return r.sequence >= from; });
  map_.kill(from);
  load_store_.kill(from);
  queues_.kill(from);
  front_.kill(from);
  machine_.agenda.changed();
}

}  // namespace pmusim::core::alpha::out_of_order

template class pmusim::core::SteppedCore<pmusim::core::alpha::out_of_order::OutOfOrderCore>;
