#include "models/core/parts/recorder.h"

#include <algorithm>
#include <stdexcept>

namespace pmusim::core {

void Recorder::open(Block& block, Cycle now) {
  if (block.begin != now) throw std::logic_error("activity block was not restarted at the core's present cycle");
  block_ = &block;
  ++serial_;
  offset_ = 0;
  if (has_next_ && now >= next_cycle_) apply_next();
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    block.states[i].initial = current_[i];
    block.states[i].changes.clear();
  }
}

void Recorder::close(Cycle end) {
  if (has_next_ && end >= next_cycle_) apply_next();  // at the end itself: the values with which the next block begins
  block_->end = end;
  block_ = nullptr;
}

void Recorder::access(NamedInstruction& instruction, const trace::RegisterUse& use) {
  activity::RegisterAccess entry;
  entry.at = offset_;
  entry.write = use.write;
  entry.value = use.value;
  const std::size_t length = std::min(use.name.size(), entry.name.size() - 1);
  std::copy_n(use.name.begin(), length, entry.name.begin());
  occur(Signal::register_access, instruction, use.write ? activity::detail::register_write : 0);
  entry.ref = instruction.index;
  block_->accesses.push_back(entry);
}

void Recorder::set_next(State state, std::uint64_t value) {
  const auto i = static_cast<std::size_t>(state);
  has_next_ = true;
  next_cycle_ = block_->begin + offset_ + 1;
  next_set_[i] = true;
  next_value_[i] = value;
}

void Recorder::apply_next() {
  has_next_ = false;
  const Cycle begin = block_->begin;
  const auto offset = static_cast<std::uint32_t>(next_cycle_ > begin ? next_cycle_ - begin : 0);
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    if (!next_set_[i]) continue;
    next_set_[i] = false;
    if (current_[i] != next_value_[i]) change(static_cast<State>(i), next_value_[i], offset);
  }
}

void Recorder::change(State state, std::uint64_t value, std::uint32_t offset) {
  const auto i = static_cast<std::size_t>(state);
  current_[i] = value;
  activity::StateColumn& column = block_->states[i];
  if (offset == 0) {
    column.initial = value;
    return;
  }
  if (column.changes.empty() || column.changes.back().at < offset) {
    column.changes.push_back({offset, value});
    return;
  }
  // A second change in the same cycle: the last value holds, and a value equal to the first one cancels the change.
  column.changes.back().value = value;
  const std::uint64_t before = column.changes.size() > 1 ? column.changes.end()[-2].value : column.initial;
  if (before == value) column.changes.pop_back();
}

}  // namespace pmusim::core
