#include "models/pmu/signal_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

#include "models/pmu/multiplexer.h"

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

using activity::Block;
using activity::Occurrence;
using activity::Signal;

/// Copies records of a block to the wire, each once, and returns their new indices.
class RecordCarrier {
 public:
  RecordCarrier(const Block& block, RecordsValue& named) : block_(block), named_(named) {}
  std::uint32_t instruction(std::uint32_t index) {
    const std::uint32_t place = put(instructions_, index, block_.instructions, named_.instructions);
    if (place == named_.syllables.size() && index < block_.syllables.size())
      named_.syllables.push_back(block_.syllables[index]);
    if (place == named_.alpha_instructions.size() && index < block_.alpha_instructions.size())
      named_.alpha_instructions.push_back(block_.alpha_instructions[index]);
    return place;
  }
  std::uint32_t request(std::uint32_t index) {
    const std::uint32_t place = put(requests_, index, block_.requests, named_.requests);
    if (place != named_.ia64_requests.size() || index >= block_.ia64_requests.size()) return place;
    activity::ia64::Request more = block_.ia64_requests[index];
    if (more.owner != activity::no_ref) more.owner = instruction(more.owner);
    named_.ia64_requests.push_back(more);
    return place;
  }

 private:
  template <class Record>
  static std::uint32_t put(std::vector<std::uint32_t>& taken, std::uint32_t index, const std::vector<Record>& from,
                           std::vector<Record>& to) {
    const auto found = std::find(taken.begin(), taken.end(), index);
    if (found == taken.end()) {
      to.push_back(from[index]);
      taken.push_back(index);
      return static_cast<std::uint32_t>(to.size() - 1);
    }
    return static_cast<std::uint32_t>(found - taken.begin());
  }
  const Block& block_;
  RecordsValue& named_;
  std::vector<std::uint32_t> instructions_;  ///< index in the block of each copied record
  std::vector<std::uint32_t> requests_;
};

std::ostream& operator<<(std::ostream& out, const ColumnValue& value) { return out << value.total; }
void sc_trace(sc_core::sc_trace_file* file, const ColumnValue& value, const std::string& name) {
  sc_core::sc_trace(file, value.total, name);
}
std::ostream& operator<<(std::ostream& out, const RecordsValue& value) { return out << value.cycle; }
void sc_trace(sc_core::sc_trace_file* file, const RecordsValue& value, const std::string& name) {
  sc_core::sc_trace(file, value.cycle, name);
}

ActivityWires::ActivityWires(const sc_core::sc_module_name& name)
    : sc_module(name),
      clock("clock"),
      activity("activity"),
      cycle("cycle", activity::never),
      columns("columns", activity::signal_count),
      states("states", activity::state_count),
      records("records"),
      next_occurrence_(activity::signal_count),
      next_change_(activity::state_count),
      busy_(activity::signal_count) {
  activity.bind(*this);
  SC_HAS_PROCESS(ActivityWires);
  SC_METHOD(drive);
  sensitive << clock.pos();
  dont_initialize();
}

void ActivityWires::consume(const Block& block) {
  if (block_ != nullptr && next_ != block_->end) {
    throw std::logic_error(std::string(name()) + ": the block before has not been on the wires to its end");
  }
  block_ = &block;
  next_ = block.begin;
  next_occurrence_.assign(activity::signal_count, 0);
  used_.clear();
  for (std::size_t i = 0; i < activity::signal_count; ++i) {
    if (busy_[i] || !block.columns[i].empty()) used_.push_back(i);
  }
  next_change_.assign(activity::state_count, 0);
  next_access_ = 0;
}

void ActivityWires::drive() {
  if (block_ == nullptr || next_ == block_->end) {
    cycle.write(activity::never);
    return;
  }
  RecordsValue named;
  named.cycle = next_;
  RecordCarrier carrier(*block_, named);
  for (const std::size_t column : used_) drive_column(column, carrier);
  const auto offset = static_cast<std::uint32_t>(next_ - block_->begin);
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    const activity::StateColumn& state = block_->states[i];
    std::size_t& change = next_change_[i];
    if (offset == 0) states[i].write(state.initial);
    if (change < state.changes.size() && state.changes[change].at == offset)
      states[i].write(state.changes[change++].value);
    const bool changes_next = change < state.changes.size() && state.changes[change].at == offset + 1;
    named.next_states[i] = changes_next  ? state.changes[change].value
                           : change != 0 ? state.changes[change - 1].value
                                         : state.initial;
  }
  for (; next_access_ < block_->accesses.size() && block_->accesses[next_access_].at == offset; ++next_access_) {
    activity::RegisterAccess access = block_->accesses[next_access_];
    if (access.ref != activity::no_ref) access.ref = carrier.instruction(access.ref);
    access.at = 0;
    named.accesses.push_back(access);
  }
  records.write(named);
  cycle.write(next_++);
}

void ActivityWires::drive_column(std::size_t signal, RecordCarrier& carrier) {
  const auto& column = block_->columns[signal];
  std::size_t& next = next_occurrence_[signal];
  const auto offset = static_cast<std::uint32_t>(next_ - block_->begin);
  if (next == column.size() || column[next].at != offset) {
    if (busy_[signal]) columns[signal].write(ColumnValue{});
    busy_[signal] = false;
    return;
  }
  ColumnValue value{next_, 0, {}};
  for (; next < column.size() && column[next].at == offset; ++next) {
    Occurrence occurrence = column[next];
    occurrence.at = 0;
    value.total += occurrence.amount;
    if (occurrence.ref != activity::no_ref) {
      occurrence.ref = refers_to_request(static_cast<Signal>(signal)) ? carrier.request(occurrence.ref)
                                                                      : carrier.instruction(occurrence.ref);
    }
    value.occurrences.push_back(occurrence);
  }
  columns[signal].write(value);
  busy_[signal] = true;
}

}  // namespace pmusim::pmu
