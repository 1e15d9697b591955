#include "models/pmu/signal_module.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pmusim::pmu {

SignalPmuModule::SignalPmuModule(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor,
                                 const ModuleOptions& options)
    : PmuShell(name, std::move(monitor), options),
      clock("clock"),
      cycle("cycle"),
      columns("columns", activity::signal_count),
      states("states", activity::state_count),
      records("records") {
  SC_HAS_PROCESS(SignalPmuModule);
  SC_METHOD(sample);
  sensitive << clock.pos();
  dont_initialize();
  SC_METHOD(cycle_begins);
  sensitive << cycle;
  dont_initialize();
}

void SignalPmuModule::bind(ActivityWires& wires, sc_core::sc_signal_in_if<bool>& core_clock) {
  clock(core_clock);
  cycle(wires.cycle);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i](wires.columns[i]);
  for (std::size_t i = 0; i < states.size(); ++i) states[i](wires.states[i]);
  records(wires.records);
}

void SignalPmuModule::cycle_begins() {
  if (cycle.read() != activity::never) anchor(cycle.read());
}

// The wires do not change after the beginning of a cycle, so an access within the cycle may sample them early.
void SignalPmuModule::settle() {
  if (boundary_now() > live_.consumed()) sample();
}

Follower SignalPmuModule::settled_copy() {
  Follower copy = live_;
  if (cycle.read() != live_.consumed() || boundary_now() <= live_.consumed()) return copy;
  gather();
  if (copy.advance(block_, block_.end).taking) (void)copy.take(block_);
  return copy;
}

void SignalPmuModule::sample() {
  const Cycle now = cycle.read();
  if (now == activity::never || now + 1 == live_.consumed()) return;
  if (now != live_.consumed()) {
    throw std::logic_error(
        fmt::format("{}: cycle {} is on the wires, the next to consume is {}", this->name(), now, live_.consumed()));
  }
  gather();
  const Stop stop = live_.advance(block_, now + 1);
  if (cycle_watcher_) cycle_watcher_(block_, live_.monitor());
  if (pins_wanted()) {
    schedule_.foresee(live_.monitor().take_pin_edges());
    schedule_.adopt();
    drive_pins_until(now + 1);
  }
  log_accesses();
  if (stop.line_changed || stop.taking) react(stop, block_);
}

void SignalPmuModule::consume_at_once(const Block& block) {
  live_.monitor().record_pins(false);
  while (live_.consumed() < block.end) {
    const Stop stop = live_.advance(block, block.end);
    if (stop.line_changed || stop.taking) react(stop, block);
  }
  log_accesses();
}

void SignalPmuModule::gather() {
  const Cycle now = cycle.read();
  block_.restart(now);
  block_.end = now + 1;
  for (std::size_t i = 0; i < activity::signal_count; ++i) {
    const ColumnValue& value = columns[i].read();
    if (value.cycle == now) block_.columns[i] = value.occurrences;
  }
  const RecordsValue& named = records.read();
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    block_.states[i].initial = states[i].read();
    if (named.next_states[i] != states[i].read()) block_.states[i].changes.push_back({1, named.next_states[i]});
  }
  block_.instructions = named.instructions;
  block_.requests = named.requests;
  block_.syllables = named.syllables;
  block_.ia64_requests = named.ia64_requests;
  block_.alpha_instructions = named.alpha_instructions;
  block_.accesses = named.accesses;
}

}  // namespace pmusim::pmu
