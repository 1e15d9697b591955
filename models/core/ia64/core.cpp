#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

Ia64Core::Ia64Core(std::vector<std::unique_ptr<trace::Reader>> traces, const Settings& settings)
    : machine_(settings),
      hierarchy_(machine_),
      walker_(machine_, hierarchy_),
      data_(machine_, hierarchy_, walker_),
      fetch_memory_(machine_, hierarchy_, walker_) {
  hierarchy_.attach(*this);
  machine_.two_threads = traces.size() > 1;
  for (std::unique_ptr<trace::Reader>& trace : traces) {
    BranchPrediction* const shared =
        settings.shared_prediction != 0 && !threads_.empty() ? &threads_.front()->prediction : nullptr;
    threads_.push_back(std::make_unique<Thread>(static_cast<unsigned>(threads_.size()), std::move(trace),
                                                Thread::Shared{machine_, fetch_memory_, shared, *this}));
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

Cycle Ia64Core::next() const {
  return back_end_from_ <= now_ + 1 ? now_ + 1 : std::max(next_event(), now_ + 1);  // nothing is earlier
}

Cycle Ia64Core::next_event() const {
  if (interrupt_due_ && may_enter_handler()) return now_;
  Cycle at = std::min({machine_.schedule.next(), thread_->front.next(), back_end_from_, ends_, exit_changes_});
  if (!leaving_.empty()) at = std::min(at, leaving_.front().at);
  if (!finals_.empty()) at = std::min(at, finals_.front().at);
  if (machine_.two_threads) at = std::min(at, next_of_threads());
  return at;
}

bool Ia64Core::at_rest() const {
  return thread_->front.size() == 0 && group_.empty() && leaving_.empty() && finals_.empty() &&
         stalled_ == stalls_.size() && !flush_.active && mode_return_ == activity::never;
}

/// No dispersed instruction is in flight, and no flush or trap of the program is unfinished.
bool Ia64Core::may_enter_handler() const {
  return leaving_.empty() && finals_.empty() && !flush_.active && mode_return_ == activity::never && handler_left_ == 0;
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

}  // namespace pmusim::core::ia64

template class pmusim::core::SteppedCore<pmusim::core::ia64::Ia64Core>;
