// The cycle, the run loop and the interrupts of perturbing mode.
#include <fmt/format.h>

#include <stdexcept>

#include "models/core/ppc750/machine.h"
#include "models/core/ppc750/ppc750.h"

namespace pmusim::core {
namespace ppc750 {

namespace msr = activity::msr;

Machine::Machine(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters)
    : config_(parameters),
      program_(std::move(reader)),
      operations_(config_),
      memory_(config_, recorder_),
      translation_(config_, recorder_, memory_),
      pool_(64),
      btic_(config_.btic_sets, config_.btic_ways),
      history_(config_.bht_entries, static_cast<std::uint8_t>(config_.bht_initial)),
      msr_(config_.msr) {
  operations_.make_handler();
  for (unsigned i = 0; i < pool_.size(); ++i) free_.push(static_cast<Index>(i));
  const auto stations = [&](Unit unit, unsigned count) { stations_[static_cast<std::size_t>(unit)] = count; };
  stations(Unit::integer_1, config_.integer_1_stations);
  stations(Unit::integer_2, config_.integer_2_stations);
  stations(Unit::system, config_.system_stations);
  stations(Unit::fp, config_.fp_stations);
  stations(Unit::load_store, config_.load_store_stations);
  stations(Unit::branch, max_queue);
  if (const Program::Entry* first = program_.at(0)) fetch_pc_ = first->instruction.code->pc;
}

bool Machine::quiet() const {
  return completion_.empty() && discarded_.empty() && queue_.empty() && !pending_.active && loads_.empty() &&
         stores_.empty() && !stage_.active && predictions_.empty() && memory_.quiet() && !translation_.walking();
}

bool Machine::finished() {
  if (!completion_.empty() || !discarded_.empty() || !queue_.empty() || handler_active_ || handler_requested_ ||
      !on_path_)
    return false;
  return program_.at(cursor_) == nullptr && trailing_done_ == program_.trailing().size() && now_ + 1 >= outside_from_ &&
         quiet();
}

void Machine::step() {
  wake_.at = activity::never;
  recorder_.begin_cycle(now_);
  if (handler_requested_) enter_handler();
  if (handler_active_ && handler_retired_ == handler_length_) leave_handler();
  if (now_ < outside_from_ || clock_stopped_ || !no_directive_waits()) act_outside();
  memory_.step(now_, wake_);
  translation_.step(now_, wake_);
  poll_loads();
  retire();
  access();
  drain_stores();
  issue();
  record_finished();
  handle_branch();
  dispatch();
  resolve_branch();
  fetch();
}

void Machine::start() {
  recorder_.set(State::clock, 1);
  recorder_.set(State::bus_ratio, (std::uint64_t{config_.bus_ratio_numerator} << 16) | config_.bus_ratio_denominator);
  set_msr(msr_);
  ended_ = finished();
}

void Machine::take_interrupt(unsigned handler_instructions) {
  handler_requested_ = true;
  handler_length_ = handler_instructions;
  wake();
}

void Machine::enter_handler() {
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

void Machine::leave_handler() {
  handler_active_ = false;
  set_msr(saved_msr_.back());
  saved_msr_.pop_back();
  btic_.clear();
  const Program::Entry* entry = program_.at(cursor_);
  redirect(entry != nullptr ? entry->instruction.code->pc : fetch_pc_, true, cursor_, std::max(now_, outside_from_));
}

}  // namespace ppc750

std::unique_ptr<Core> make_ppc750(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  if (reader->info().isa != trace::Isa::ppc) {
    throw CoreError(
        fmt::format("the trace holds {} instructions; the 750GX executes ppc", trace::name_of(reader->info().isa)));
  }
  return std::make_unique<ppc750::Machine>(std::move(reader), parameters);
}

}  // namespace pmusim::core

template class pmusim::core::SteppedCore<pmusim::core::ppc750::Machine>;
