// Two hardware threads, switch on event: one owns the pipe; what may make the core go over to the other, what holds
// that up, and what it costs. docs/targets/montecito-core.md has the rules.
#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace dd = act::detail;
namespace bits = act::switching;
using act::SwitchCause;
using act::SwitchGate;

Cycle Ia64Core::next_of_threads() const {
  Cycle at = switching_.look;
  for (const Machine::FarMiss& miss : machine_.far_misses) at = std::min(at, miss.at);
  for (const auto& thread : threads_) {
    for (const Cycle back : thread->returns) at = std::min(at, back);
  }
  if (!thread_->ended && !other_thread().ended) at = std::min(at, timer_);
  return at;
}

void Ia64Core::show_switching(std::uint64_t more) {
  machine_.recorder.set(State::switching, (switch_disabled_ ? bits::disabled : 0) |
                                              (switching_.cause != SwitchCause::none ? bits::due | more : 0));
}

void Ia64Core::attend_threads() {
  const bool waits = !machine_.far_misses.empty() || !threads_[0]->returns.empty() || !threads_[1]->returns.empty();
  if (!waits && now_ < timer_ && switching_.cause == SwitchCause::none) return;
  note_far_misses();
  note_returns();
  if (now_ >= timer_ && !thread_->ended) {
    timer_ = now_ + machine_.settings.quantum;
    ask_switch(SwitchCause::timer, false);
  }
  if (switching_.cause == SwitchCause::none) return;
  switching_.look = now_ + 1;  // the pipeline has changed by then; what waits for a known cycle says so
  if (may_go(other_thread())) drain();
}

/// Handles the misses that are looked up in L3 in this cycle. A miss of the background thread only keeps that thread
/// waiting.
void Ia64Core::note_far_misses() {
  if (machine_.far_misses.empty()) return;
  std::erase_if(machine_.far_misses, [this](const Machine::FarMiss& miss) {
    if (miss.at > now_) return false;
    Thread& whose = *threads_[miss.thread];
    whose.miss_until = std::max(whose.miss_until, miss.ready);
    whose.returns.push_back(miss.ready);
    if (whose.urgency != 0) --whose.urgency;
    const Settings& s = machine_.settings;
    if (&whose == thread_ && s.switch_on_miss != 0 && (!miss.fill || s.switch_on_fill != 0))
      ask_switch(SwitchCause::l3_miss, false);
    return true;
  });
}

/// Data of L3 misses that comes in this cycle.
void Ia64Core::note_returns() {
  for (const auto& thread : threads_) {
    const std::size_t came = std::erase_if(thread->returns, [this](Cycle at) { return at <= now_; });
    if (came == 0) continue;
    for (std::size_t i = 0; i < came && thread->urgency < Thread::usual_urgency; ++i) ++thread->urgency;
    if (thread.get() == thread_ || machine_.settings.switch_on_return == 0 || switching_.cause != SwitchCause::none)
      continue;
    if (!misses_opportunity(SwitchCause::l3_miss)) ask_switch(SwitchCause::l3_miss, false);
  }
}

/// Invalidates advanced loads from this address: the active thread writes to it, or another agent takes the line. If
/// both threads share their memory, this includes advanced loads of the other thread.
void Ia64Core::note_store(std::uint64_t address, std::uint32_t size) {
  thread_->alat.store(address, size);
  const Settings& s = machine_.settings;
  if (!machine_.two_threads || s.second_memory != 0) return;
  if (other_thread().alat.store(address, size) && s.switch_on_alat != 0) ask_switch(SwitchCause::hint, false);
}

void Ia64Core::note_invalidation(std::uint64_t address) {
  const Settings& s = machine_.settings;
  if (s.alat_snoops != 0) note_store(address & ~(s.l2_line - 1), static_cast<std::uint32_t>(s.l2_line));
}

/// An interrupt for the background thread does not request a switch by itself, but makes the thread more urgent for the
/// next miss or return.
void Ia64Core::note_interrupt_of_the_other() {
  if (!machine_.two_threads) return;
  unsigned& urgency = other_thread().urgency;
  urgency = std::max(urgency, Thread::interrupted_urgency);
}

/// Ends the active thread if its trace has ended and nothing is in flight.
void Ia64Core::note_end() {
  if (thread_->ended || !thread_->front.ended() || !at_rest() || interrupt_due_ || handler_left_ != 0) return;
  if (now_ + 1 < ia32_until_ || clock_from_ > now_) return;
  thread_->ended = true;
  ask_switch(SwitchCause::low_power, true);
}

/// True if an opportunity to switch is not used: switches are disabled, the other thread is not more urgent, or it
/// still waits for a miss.
bool Ia64Core::misses_opportunity(SwitchCause cause) const {
  if (switch_disabled_) return true;
  if (machine_.settings.urgency != 0 && cause == SwitchCause::l3_miss)
    return other_thread().urgency <= thread_->urgency;
  return now_ < other_thread().miss_until;
}

void Ia64Core::ask_switch(SwitchCause cause, bool must) {
  if (!machine_.two_threads || other_thread().ended) return;
  if (switching_.cause != SwitchCause::none) {
    switching_.must = switching_.must || must;
    return;
  }
  if (!must && misses_opportunity(cause)) {
    machine_.recorder.occur(Signal::thread_switch_missed, static_cast<std::uint16_t>(cause));
    return;
  }
  switching_ = {};
  switching_.cause = cause;
  switching_.must = must;
  switching_.look = now_ + 1;
  show_switching(0);
}

void Ia64Core::gate(SwitchGate why) {
  const unsigned bit = 1u << static_cast<unsigned>(why);
  if ((switching_.gates & bit) == 0)
    machine_.recorder.occur(Signal::thread_switch_gated, static_cast<std::uint16_t>(why));
  switching_.gates |= bit;
  show_switching(bits::gated);
}

/// True if the pipe may be drained for the other thread. Until then the active thread continues.
bool Ia64Core::may_go(const Thread& other) {
  const bool waits = switching_.must && !thread_->ended;
  if (waits && now_ >= thread_->sleeps_until) {  // it is awake again
    machine_.recorder.occur(Signal::thread_switch_missed, static_cast<std::uint16_t>(switching_.cause));
    switching_ = {};
    show_switching(0);
    return false;
  }
  const Cycle own = waits ? thread_->sleeps_until : activity::never;
  switching_.draining = false;
  if (now_ < other.sleeps_until) {
    gate(SwitchGate::low_power);
    switching_.look = std::min(other.sleeps_until, own);
    return false;
  }
  if (switching_.must) {
    if (now_ >= other.miss_until) return true;
    show_switching(0);
    switching_.look = std::min(other.miss_until, own);
    return false;
  }
  if (machine_.settings.forward_progress != 0 && !progressed_) {
    gate(SwitchGate::forward_progress);
    return false;
  }
  if (interrupt_due_ || handler_left_ != 0) {
    gate(SwitchGate::pipeline);
    return false;
  }
  return true;
}

/// Drains the pipe: no further instruction issues, issued instructions retire, and data that L2 returns soon is
/// awaited.
void Ia64Core::drain() {
  if (interrupt_due_ || handler_left_ != 0) return;
  switching_.draining = true;
  if (stalled_ == stalls_.size() && !flush_.active) back_end_from_ = std::min(back_end_from_, now_);
  if (!drained()) {
    gate(SwitchGate::pipeline);
    return;
  }
  const Cycle data = machine_.l2_return, fetch = fetch_memory_.second_level_until();
  if (data > now_ || fetch > now_) {
    show_switching((data > now_ ? bits::l2d_return : 0) | (fetch > now_ ? bits::request_buffer : 0));
    return;
  }
  go_over();
}

void Ia64Core::go_over() {
  Ia64Recorder& recorder = machine_.recorder;
  const Settings& s = machine_.settings;
  constexpr Cycle most = 8191;
  const Cycle stood = now_ - std::min(now_, last_issue_ + 1);
  recorder.occur(Signal::thread_switch, static_cast<unsigned>(switching_.cause) | std::min(stood, most)
                                                                                      << dd::switch_stall_shift);
  group_.clear();
  if (switching_.cause == SwitchCause::timer) thread_->urgency = Thread::overtime_urgency;
  thread_->front.redirect(thread_->resume_ordinal, thread_->resume_slot, activity::never);
  show_switching(0);
  switching_ = {};
  recorder.set_next(State::switching, switch_disabled_ ? bits::disabled : 0);
  recorder.set_next(State::background_psr, thread_->mode.psr);
  recorder.set_next(State::background_cpl, thread_->mode.cpl);

  thread_ = &other_thread();
  machine_.active = thread_->number;
  machine_.memory_base = thread_->number * s.second_memory;
  machine_.l2_return = 0;
  data_.set_thread(thread_->number);
  fetch_memory_.translation().set_thread(thread_->number);
  hierarchy_.set_thread(thread_->number);
  for (const auto& thread : threads_) thread->prediction.set_thread(thread_->number);
  recorder.set_next(State::thread, thread_->number);
  recorder.set_next(State::psr, thread_->mode.psr);
  recorder.set_next(State::cpl, thread_->mode.cpl);
  recorder.set_next(State::dcr, thread_->dcr);
  recorder.set_next(State::process, thread_->process);

  const Cycle restart = now_ + std::max<Cycle>(s.switch_cycles, 1);
  const Cycle lead = s.fetch_to_buffer;
  thread_->front.redirect(thread_->resume_ordinal, thread_->resume_slot,
                          restart > now_ + lead ? restart - lead : now_ + 1);
  recorder.set(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption));
  back_end_from_ = restart;
  waits_for_bundles_ = false;
  progressed_ = false;
  timer_ = now_ + 1 + s.quantum;
}

/// Low power for a number of cycles: the other thread runs if it can; if both sleep the clock stands.
void Ia64Core::do_halt(Cycle cycles) {
  const Cycle until = now_ + 1 + cycles;
  hold(cycles);
  Cycle stands = until;
  if (machine_.two_threads && !other_thread().ended && !switch_disabled_) {
    thread_->sleeps_until = until;
    ask_switch(SwitchCause::low_power, true);
    stands = std::min(until, other_thread().sleeps_until);
  }
  if (stands <= now_ + 1) return;
  machine_.recorder.set_next(State::clock, 0);
  clock_from_ = stands;
  ends_at(stands);
}

}  // namespace pmusim::core::ia64
