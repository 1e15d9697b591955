// Retirement, the processor status register, and interruptions.
#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace psr = act::psr;

/// One instruction of the handler that take_interrupt() runs.
void Ia64Core::retired_of_handler() {
  if (handler_left_ == 0 || --handler_left_ != 0) return;
  leave();
  thread_->front.redirect(thread_->resume_ordinal, thread_->resume_slot, now_ + 1);
  // An interrupt requested while the handler ran is taken in this cycle.
  if (!interrupt_due_) machine_.recorder.set_next(State::back_end, act::back_end(act::BackEnd::front_end));
}

/// The instruction at which the program continues if nothing later retires.
inline void Ia64Core::retired_of_program(const Leaving& leaving) {
  thread_->resume_ordinal = leaving.last ? leaving.ordinal + 1 : leaving.ordinal;
  thread_->resume_slot = leaving.last ? 0 : leaving.end;
  if (leaving.last) thread_->program.complete_through(leaving.ordinal);
}

inline void Ia64Core::retire_one(const Leaving& leaving) {
  Ia64Recorder& recorder = machine_.recorder;
  thread_->last_was_rfi = false;
  progressed_ = true;
  for (const unsigned slot : Each(leaving.named)) retire_named(leaving, slot);
  const StaticBundle& bundle = *leaving.bundle;
  const unsigned unnamed = leaving.slots & ~unsigned{leaving.named};
  const unsigned nops = recorder.tells_nops() ? count_of(unnamed & leaving.executes & bundle.nops) : 0;
  recorder.retire_unnamed(count_of(unnamed) - nops, nops);
  if (const unsigned branches = leaving.slots & bundle.branches;
      branches != 0 && machine_.settings.branch_queue_until == 0) {
    for (unsigned n = count_of(branches); n != 0; --n) thread_->front.retired_branch();
  }
  if (leaving.entry == nullptr) {
    for (unsigned n = count_of(leaving.slots); n != 0; --n) retired_of_handler();
  } else {
    retired_of_program(leaving);
  }
  for (const unsigned slot : Each(leaving.named)) recorder.drop(*leaving.instructions[slot]);
}

/// An instruction with a record.
inline void Ia64Core::retire_named(const Leaving& leaving, unsigned slot) {
  Ia64Recorder& recorder = machine_.recorder;
  const Operation& op = leaving.bundle->operations[slot];
  Instruction& i = *leaving.instructions[slot];
  const bool ends = slot + 1 == leaving.end;
  if (leaving.traps && ends) {
    // The work of the system for a break is not in the trace: the mode changes here, and changes back at the end of the
    // flush.
    recorder.occur(Signal::trap, i, d::trap_exception);
    enter(thread_->mode);
    mode_return_ = now_ + machine_.settings.interruption_flush;
    ends_at(mode_return_);
  } else {
    recorder.retire(i, op.kinds, (leaving.executes & leaving.bundle->nops) >> slot & 1);
    if (op.acts_at_retirement && i.syllable.predicate) after_retirement(i, op);
  }
  if (!ends || !leaving.last || leaving.entry == nullptr) return;
  if (const trace::Annotations* keys = leaving.entry->instruction.annotations; keys != nullptr) {
    for (const trace::RegisterUse& use : keys->registers) recorder.access(i, use);
  }
}

void Ia64Core::retire() {
  while (!leaving_.empty()) {
    const Leaving& leaving = leaving_.front();
    if (leaving.at > now_) break;
    retire_one(leaving);
    leaving_.pop();
  }
  machine_.recorder.tell_retired();
  while (!finals_.empty() && finals_.front().at <= now_) {
    Access& access = *finals_.front().access;
    finals_.pop();
    machine_.recorder.occur(Signal::access_retire, access);
    machine_.recorder.drop(access);
  }
}

/// Effects that take place only when an instruction is certain to complete.
void Ia64Core::after_retirement(Instruction& i, const Operation& op) {
  const isa::Slot& slot = *op.slot;
  if (slot.kind == isa::Kind::psr) change_psr(slot);
  constexpr std::uint64_t pause = 0;
  if (slot.kind == isa::Kind::hint && slot.immediate == pause && machine_.two_threads)
    ask_switch(act::SwitchCause::hint, false);
  if (op.has(act::Kind::flush_cache)) machine_.recorder.occur(Signal::l1i_snoop, i);
  if (slot.branch == isa::BranchKind::ia) set_mode({thread_->mode.psr | psr::is, thread_->mode.cpl});
  if (op.has(act::Kind::rfi)) {
    leave();
    thread_->last_was_rfi = true;
  }
  // epc takes the privilege level of its page. The trace does not contain it, so the most privileged level is assumed.
  if (slot.kind == isa::Kind::system_branch && slot.mnemonic.starts_with("epc")) set_mode({thread_->mode.psr, 0});
}

/// From the next cycle on: instructions that retire in this cycle belong to the old mode.
void Ia64Core::set_mode(Mode mode) {
  thread_->mode = mode;
  machine_.recorder.set_next(State::psr, mode.psr);
  machine_.recorder.set_next(State::cpl, mode.cpl);
  thread_->front.set_translated((mode.psr & psr::it) != 0);
}

/// An interruption: the most privileged level, PSR.pp from DCR, interrupts off, secure monitors off.
void Ia64Core::enter(Mode mode) {
  thread_->entered_from.push_back(mode);
  const std::uint64_t secure = machine_.settings.entry_sp == 0 ? psr::sp : 0;
  std::uint64_t next = mode.psr & ~(psr::pp | secure | psr::i | psr::is);
  if ((thread_->dcr & dcr::pp) != 0) next |= psr::pp;
  set_mode({next, 0});
}

void Ia64Core::leave() {
  if (thread_->entered_from.empty()) return;
  const Mode before = thread_->entered_from.back();
  thread_->entered_from.pop_back();
  set_mode(before);
}

/// Executes rum, sum, rsm and ssm, whose immediate selects PSR bits. Moves to PSR change nothing, because a trace does
/// not contain their value.
void Ia64Core::change_psr(const isa::Slot& slot) {
  const bool user = slot.mnemonic == "sum" || slot.mnemonic == "rum";
  const bool sets = slot.mnemonic == "sum" || slot.mnemonic == "ssm";
  if (!user && slot.mnemonic != "ssm" && slot.mnemonic != "rsm") return;
  std::uint64_t changes =
      slot.immediate & (user ? psr::up | psr::ac : psr::up | psr::ac | psr::i | psr::dt | psr::sp | psr::pp | psr::db);
  // A secure monitor keeps the user mask's monitor bit from less privileged code.
  const bool secured = (thread_->mode.psr & psr::sp) != 0 && machine_.settings.secure_user_mask == 0;
  if (user && secured && thread_->mode.cpl != 0) changes &= ~psr::up;
  const std::uint64_t next = sets ? thread_->mode.psr | changes : thread_->mode.psr & ~changes;
  thread_->mode.psr = next;
  machine_.recorder.set_next(State::psr, next);
}

void Ia64Core::take_interrupt(unsigned handler_instructions) {
  interrupt_due_ = true;
  handler_instructions_ = handler_instructions;
  wake();
}

/// Takes the interrupt of take_interrupt(): issued instructions have retired, and those in the buffer will be fetched
/// again.
void Ia64Core::enter_handler() {
  interrupt_due_ = false;
  group_.clear();
  constexpr std::uint64_t in_bundle = 3;
  machine_.recorder.occur(Signal::trap, d::trap_maskable | d::trap_monitor);
  enter(thread_->mode);
  const Cycle restart = now_ + machine_.settings.interruption_flush;
  const std::uint64_t bundles = (handler_instructions_ + in_bundle - 1) / in_bundle;
  handler_left_ = bundles * in_bundle;
  machine_.recorder.set(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption));
  back_end_from_ = restart;
  const Cycle lead = machine_.settings.fetch_to_buffer;
  const Cycle from = restart > now_ + lead ? restart - lead : now_ + 1;
  if (bundles == 0) {
    leave();
    thread_->front.redirect(thread_->resume_ordinal, thread_->resume_slot, from);
    return;
  }
  thread_->front.enter_handler(bundles, from);
}

}  // namespace pmusim::core::ia64
