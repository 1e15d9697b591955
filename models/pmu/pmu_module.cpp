#include "models/pmu/pmu_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pmusim::pmu {

PmuModule::PmuModule(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor,
                     const ModuleOptions& options)
    : PmuShell(name, std::move(monitor), options), activity("activity"), ahead_(live_) {
  activity.bind(*this);
  SC_HAS_PROCESS(PmuModule);
  SC_METHOD(stop_reached);
  sensitive << stop_event_;
  dont_initialize();
  SC_METHOD(pin_reached);
  sensitive << pin_time_;
  dont_initialize();
}

void PmuModule::before_end_of_elaboration() {
  PmuShell::before_end_of_elaboration();
  ahead_.monitor().record_pins(pins_wanted());
}

void PmuModule::consume(const Block& block) {
  settle_block();
  if (block.begin != live_.consumed()) {
    throw std::logic_error(fmt::format("{}: the block begins with cycle {}, the next to consume is {}", this->name(),
                                       block.begin, live_.consumed()));
  }
  block_ = &block;
  anchor(block.begin);
  if (block.begin != block.end) foresee();
}

void PmuModule::settle_block() {
  if (block_ == nullptr) return;
  if (boundary_now() < block_->end) {
    throw std::logic_error(fmt::format("{}: cycle {} of the block before ends only at {}", this->name(),
                                       block_->end - 1, time_of(block_->end).to_string()));
  }
  settle_to(block_->end);
  block_ = nullptr;
}

void PmuModule::settle() {
  if (block_ != nullptr) settle_to(std::min(boundary_now(), block_->end));
}

Follower PmuModule::settled_copy() {
  Follower copy = live_;
  if (block_ == nullptr) return copy;
  const Cycle now = std::min(boundary_now(), block_->end);
  while (copy.consumed() < now) {
    if (copy.advance(*block_, now).taking) (void)copy.take(*block_);
  }
  return copy;
}

// Foreseen edges may no longer occur; adopt() accounts for a handler's writes.
void PmuModule::register_written() {
  if (block_ != nullptr && live_.consumed() < block_->end) foresee();
}

// Processes the stops up to `cycle` in order. After the last one no reaction is due, and live_ advances to `cycle`
// separately from the scan, which stays valid until a register is written.
void PmuModule::settle_to(Cycle cycle) {
  while (live_.consumed() < cycle) {
    if (stop_.at <= cycle) {
      adopt();
    } else {
      live_.advance(*block_, cycle);
    }
  }
}

void PmuModule::adopt() {
  std::swap(live_, ahead_);
  schedule_.adopt();
  log_accesses();
  react(stop_, *block_);
  if (live_.consumed() < block_->end) foresee();
}

void PmuModule::foresee() {
  ahead_ = live_;
  stop_ = ahead_.advance(*block_, block_->end);
  if (pins_wanted()) {
    schedule_.foresee(ahead_.monitor().take_pin_edges());
    schedule_pins();
  }
  stop_event_.cancel();
  if (stop_.line_changed || stop_.taking) stop_event_.notify(time_of(stop_.at) - sc_core::sc_time_stamp());
}

void PmuModule::stop_reached() { settle(); }

void PmuModule::pin_reached() {
  drive_pins_until(boundary_now());
  schedule_pins();
}

// Edges after the end of the block wait for the next block, which determines the time of its cycles.
void PmuModule::schedule_pins() {
  pin_time_.cancel();
  if (block_ == nullptr || schedule_.next() > block_->end) return;
  const Cycle next = std::max(schedule_.next(), block_->begin);
  pin_time_.notify(std::max(time_of(next), sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
}

}  // namespace pmusim::pmu
