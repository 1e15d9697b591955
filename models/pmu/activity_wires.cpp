#include "models/pmu/activity_wires.h"

#include <ostream>
#include <stdexcept>

namespace pmusim::pmu {
namespace {

using activity::Block;
using activity::Occurrence;
using activity::Signal;

/// Which table the refs of a column lead into (see signals.h).
bool refers_to_request(Signal signal) {
  switch (signal) {
    case Signal::fetch:
    case Signal::translation:
    case Signal::dcache_lookup:
    case Signal::load_return:
    case Signal::code_store:
    case Signal::line_request:
    case Signal::line_fill:
    case Signal::line_evict:
    case Signal::l2_lookup:
    case Signal::l2_array:
    case Signal::bus_request:
    case Signal::snoop:
    case Signal::ecc_correction:
    case Signal::cross_invalidate:
      return true;
    default:
      return false;
  }
}

template <class Record>
std::uint32_t carry(std::vector<Record>& records, const Record& record) {
  records.push_back(record);
  return static_cast<std::uint32_t>(records.size() - 1);
}

}  // namespace

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
  next_change_.assign(activity::state_count, 0);
  next_access_ = 0;
}

void ActivityWires::drive() {
  if (block_ == nullptr || next_ == block_->end) {
    cycle.write(activity::never);
    return;
  }
  RecordsValue named{next_, {}, {}, {}, {}};
  for (std::size_t i = 0; i < activity::signal_count; ++i) drive_column(i, named);
  const auto offset = static_cast<std::uint32_t>(next_ - block_->begin);
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    const activity::StateColumn& state = block_->states[i];
    std::size_t& change = next_change_[i];
    if (offset == 0) states[i].write(state.initial);
    if (change < state.changes.size() && state.changes[change].at == offset)
      states[i].write(state.changes[change++].value);
    named.next_states[i] = block_->state_at(static_cast<activity::State>(i), next_ + 1);
  }
  for (; next_access_ < block_->accesses.size() && block_->accesses[next_access_].at == offset; ++next_access_) {
    activity::RegisterAccess access = block_->accesses[next_access_];
    if (access.ref != activity::no_ref) access.ref = carry(named.instructions, block_->instructions[access.ref]);
    access.at = 0;
    named.accesses.push_back(access);
  }
  records.write(named);
  cycle.write(next_++);
}

void ActivityWires::drive_column(std::size_t signal, RecordsValue& named) {
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
      occurrence.ref = refers_to_request(static_cast<Signal>(signal))
                           ? carry(named.requests, block_->requests[occurrence.ref])
                           : carry(named.instructions, block_->instructions[occurrence.ref]);
    }
    value.occurrences.push_back(occurrence);
  }
  columns[signal].write(value);
  busy_[signal] = true;
}

}  // namespace pmusim::pmu
