#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace psr = act::psr;

Ia64Core::Ia64Core(std::vector<std::unique_ptr<trace::Reader>> traces, const Settings& settings)
    : machine_(settings),
      hierarchy_(machine_),
      walker_(machine_, hierarchy_),
      data_(machine_, hierarchy_, walker_),
      fetch_memory_(machine_, hierarchy_, walker_) {
  DirectiveGate& gate = *this;
  hierarchy_.attach(data_, fetch_memory_);
  machine_.two_threads = traces.size() > 1;
  for (std::unique_ptr<trace::Reader>& trace : traces) {
    BranchPrediction* const shared =
        settings.shared_prediction != 0 && !threads_.empty() ? &threads_.front()->prediction : nullptr;
    threads_.push_back(std::make_unique<Thread>(static_cast<unsigned>(threads_.size()), std::move(trace), machine_,
                                                fetch_memory_, shared, gate));
    threads_.back()->mode = {settings.psr, static_cast<unsigned>(settings.cpl)};
    threads_.back()->dcr = settings.dcr;
    threads_.back()->front.set_translated((settings.psr & act::psr::it) != 0);
  }
  thread_ = threads_.front().get();
  if (machine_.two_threads) timer_ = settings.quantum;
}

void Ia64Core::start() {
  Ia64Recorder& recorder = machine_.recorder;
  const Settings& s = machine_.settings;
  recorder.set(State::clock, 1);
  recorder.set(State::dcr, thread_->dcr);
  recorder.set(State::bus_ratio, s.bus_numerator << 16 | s.bus_denominator);
  recorder.set(State::psr, s.psr);
  recorder.set(State::cpl, s.cpl);
  if (machine_.two_threads) {
    recorder.set(State::background_psr, s.psr);
    recorder.set(State::background_cpl, s.cpl);
  }
  recorder.set(State::front_end, act::front_end(act::FrontEnd::bubble, 2));
}

Cycle Ia64Core::next_event() const {
  if (interrupt_due_ && may_enter_handler()) return now_;
  Cycle at = std::min({machine_.schedule.next(), thread_->front.next(), back_end_from_, ends_, exit_changes_});
  if (!leaving_.empty()) at = std::min(at, leaving_.front().at);
  if (!finals_.empty()) at = std::min(at, finals_.front().at);
  if (machine_.two_threads) at = std::min(at, next_of_threads());
  return at;
}

bool Ia64Core::finished() const {
  if (machine_.two_threads && !(threads_[0]->ended && threads_[1]->ended)) return false;
  return thread_->front.ended() && at_rest() && machine_.schedule.empty() && !interrupt_due_ && handler_left_ == 0 &&
         now_ + 1 >= ia32_until_ && clock_from_ <= now_;
}

void Ia64Core::step() {
  machine_.now = now_;
  machine_.recorder.begin_cycle(now_);
  machine_.schedule.run(now_);
  if (now_ >= ends_) end_directives();
  if (retires_now()) retire();
  if (machine_.two_threads) attend_threads();
  if (interrupt_due_ && may_enter_handler()) enter_handler();
  show_exit();
  back_end();
  if (thread_->front.gated() && at_rest()) thread_->front.wake(now_);
  thread_->front.step();
  if (waits_for_bundles_)
    back_end_from_ = std::min(thread_->front.available(0), flush_.active ? flush_.resolve : activity::never);
  machine_.schedule.run_again();
  if (machine_.two_threads) note_end();
}

/// Directives that end in this cycle, and traps of the program.
void Ia64Core::end_directives() {
  ends_ = activity::never;
  if (clock_from_ != 0 && now_ >= clock_from_) {
    clock_from_ = 0;
    machine_.recorder.set(State::clock, 1);
  }
  if (clock_from_ != 0) ends_at(clock_from_);
  lower_pins();
  if (now_ < ia32_until_) {
    // IA-32 code that is not in the trace retires two instructions in every fourth clock and one in the others.
    constexpr Cycle pairing = 4;
    machine_.recorder.occur(Signal::ia32_retire, 0, now_ % pairing == 0 ? 2 : 1);
    ends_at(now_ + 1);
  }
  if (now_ >= mode_return_) {
    mode_return_ = activity::never;
    leave();
  }
  ends_at(mode_return_);
}

void Ia64Core::lower_pins() {
  std::uint64_t levels = machine_.recorder.get(State::pins);
  for (std::size_t i = 0; i < pin_until_.size(); ++i) {
    if (pin_until_[i] == 0) continue;
    if (now_ < pin_until_[i]) {
      ends_at(pin_until_[i]);
      continue;
    }
    levels &= ~(std::uint64_t{1} << i);
    pin_until_[i] = 0;
  }
  machine_.recorder.set(State::pins, levels);
}

// --- retirement, the processor status register, interruptions ------------------------------------------------------

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

template class pmusim::core::SteppedCore<pmusim::core::ia64::Ia64Core>;
