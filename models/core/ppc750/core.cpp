// The cycle, the run loop and the interrupts of perturbing mode.
#include "models/core/ppc750/core.h"

#include <fmt/format.h>

#include <stdexcept>

#include "models/core/ppc750/ppc750.h"

namespace pmusim::core {
namespace ppc750 {

namespace msr = activity::msr;

Ppc750Core::Ppc750Core(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters)
    : machine_(parameters),
      program_(std::move(reader)),
      operations_(machine_.settings),
      memory_(machine_),
      translation_(machine_, memory_),
      btic_(machine_.settings.btic_sets, machine_.settings.btic_ways),
      history_(machine_.settings.bht_entries, static_cast<std::uint8_t>(machine_.settings.bht_initial)),
      msr_(machine_.settings.msr) {
  operations_.make_handler();
  for (unsigned i = 0; i < pool_.size(); ++i) free_.push(static_cast<Index>(i));
  const auto stations = [&](Unit unit, unsigned count) { stations_[static_cast<std::size_t>(unit)] = count; };
  stations(Unit::integer_1, machine_.settings.integer_1_stations);
  stations(Unit::integer_2, machine_.settings.integer_2_stations);
  stations(Unit::system, machine_.settings.system_stations);
  stations(Unit::fp, machine_.settings.fp_stations);
  stations(Unit::load_store, machine_.settings.load_store_stations);
  stations(Unit::branch, max_queue);
  if (const Program::Entry* first = program_.at(0)) fetch_pc_ = first->instruction.code->pc;
}

bool Ppc750Core::quiet() const {
  return completion_.empty() && discarded_.empty() && queue_.empty() && !pending_.active && loads_.empty() &&
         stores_.empty() && !stage_.active && predictions_.empty() && memory_.quiet() && !translation_.walking();
}

bool Ppc750Core::finished() {
  if (!completion_.empty() || !discarded_.empty() || !queue_.empty() || handler_active_ || handler_requested_ ||
      !on_path_)
    return false;
  return program_.at(cursor_) == nullptr && trailing_done_ == program_.trailing().size() &&
         now_ + 1 >= stimulus_from_ && quiet();
}

void Ppc750Core::step() {
  wake_.at = activity::never;
  machine_.recorder.begin_cycle(now_);
  if (handler_requested_) enter_handler();
  if (handler_active_ && handler_retired_ == handler_length_) leave_handler();
  if (now_ < stimulus_from_ || clock_stopped_ || !no_directive_waits()) act_stimuli();
  if (!memory_.quiet()) memory_.step(now_, wake_);
  if (translation_.walking()) translation_.step(now_, wake_);
  if (!loads_.empty()) poll_loads();
  if (!completion_.empty() || !discarded_.empty()) retire();
  if (stage_.active && !stage_.waiting) access();
  if (!stores_.empty() && stores_[0].committed) drain_stores();
  if (unissued_ != 0) issue();
  if (next_finish_ <= now_) record_finished();
  if (next_finish_ != activity::never) wake_.on(next_finish_);
  if (unhandled_branches_ != 0) {
    handle_branch();
  } else {
    machine_.recorder.set(State::branch_unit, 0);
  }
  dispatch();
  if (!predictions_.empty()) resolve_branch();
  fetch();
}

void Ppc750Core::start() {
  machine_.recorder.set(State::clock, 1);
  machine_.recorder.set(State::bus_ratio, (std::uint64_t{machine_.settings.bus_ratio_numerator} << 16) |
                                              machine_.settings.bus_ratio_denominator);
  set_msr(msr_);
  ended_ = finished();
}

void Ppc750Core::take_interrupt(unsigned handler_instructions) {
  handler_requested_ = true;
  handler_length_ = handler_instructions;
  wake();
}

void Ppc750Core::enter_handler() {
  handler_requested_ = false;
  flush_behind(0);
  cursor_ = program_.begin();
  program_.undo(cursor_);
  enter_exception(activity::detail::trap_maskable | activity::detail::trap_monitor);
  handler_active_ = true;
  handler_fetched_ = handler_retired_ = 0;
  const std::uint64_t prefix = (msr_ & msr::ip) != 0 ? 0xFFF00000 : 0;
  redirect(prefix + 0xF00, true, cursor_, now_);
}

void Ppc750Core::leave_handler() {
  handler_active_ = false;
  set_msr(saved_msr_.back());
  saved_msr_.pop_back();
  btic_.clear();
  const Program::Entry* entry = program_.at(cursor_);
  redirect(entry != nullptr ? entry->instruction.code->pc : fetch_pc_, true, cursor_, std::max(now_, stimulus_from_));
}

}  // namespace ppc750

std::unique_ptr<Core> make_ppc750(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  if (reader->info().isa != trace::Isa::ppc) {
    throw CoreError(
        fmt::format("the trace holds {} instructions; the 750GX executes ppc", trace::name_of(reader->info().isa)));
  }
  return std::make_unique<ppc750::Ppc750Core>(std::move(reader), parameters);
}

}  // namespace pmusim::core

template class pmusim::core::SteppedCore<pmusim::core::ppc750::Ppc750Core>;
