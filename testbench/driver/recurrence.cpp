#include "testbench/driver/recurrence.h"

#include <algorithm>

#include "models/pmu/recurring.h"

namespace pmusim::testbench {
namespace {

/// The first cycle from which on nothing happens in the block.
Cycle constant_from(const Block& block) {
  Cycle from = block.begin;
  const auto after = [&](const auto& column) {
    if (!column.empty()) from = std::max(from, block.begin + column.back().at + 1);
  };
  for (const auto& column : block.columns) after(column);
  for (const activity::StateColumn& state : block.states) after(state.changes);
  after(block.accesses);
  return from;
}

}  // namespace

// What is known of one block holds in the next as long as that goes on as the last one ended.
void Recurrence::begin(const Block& block) {
  if (tallies_.empty()) return;
  constant_from_ = constant_from(block);
  bool same = constant_from_ == block.begin;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    same = same && block.states[i].initial == levels_[i];
    levels_[i] = block.states[i].changes.empty() ? block.states[i].initial : block.states[i].changes.back().value;
  }
  if (!same) forget();
  jump(block);
}

// The moment that is compared with moves on at powers of two, so that the longest period is found.
void Recurrence::taken(const Block& block) {
  if (tallies_.empty() || follower_.consumed() <= constant_from_ || follower_.line()) return;
  const auto* const monitor = dynamic_cast<const pmu::Recurring*>(&follower_.monitor());
  if (monitor == nullptr) return;
  if (period_) return jump(block);
  if (earlier_ && monitor->recurs(*earlier_->monitor, follower_.consumed() - earlier_->cycle)) {
    period_ = Period{follower_.consumed() - earlier_->cycle, {}};
    const std::vector<std::uint64_t*> numbers = growing();
    for (std::size_t i = 0; i < numbers.size(); ++i) period_->growth.push_back(*numbers[i] - earlier_->values[i]);
    return jump(block);
  }
  if (earlier_ && ++since_ < most_since_) return;
  most_since_ *= 2;
  note();
}

std::vector<std::uint64_t*> Recurrence::growing() const {
  std::vector<std::uint64_t*> numbers = dynamic_cast<pmu::Recurring&>(follower_.monitor()).grows();
  numbers.insert(numbers.end(), tallies_.begin(), tallies_.end());
  return numbers;
}

void Recurrence::note() {
  earlier_ = Moment{follower_.consumed(), follower_.monitor().clone(), {}};
  for (const std::uint64_t* const number : growing()) earlier_->values.push_back(*number);
  since_ = 0;
}

void Recurrence::forget() {
  earlier_.reset();
  period_.reset();
  most_since_ = 1;
}

/// As many whole periods as there is room for in the block.
void Recurrence::jump(const Block& block) {
  if (!period_ || follower_.line()) return;
  const std::uint64_t times = (block.end - follower_.consumed()) / period_->cycles;
  if (times == 0) return;
  const std::vector<std::uint64_t*> numbers = growing();
  for (std::size_t i = 0; i < numbers.size(); ++i) *numbers[i] += times * period_->growth[i];
  follower_.start_at(follower_.consumed() + times * period_->cycles);
}

}  // namespace pmusim::testbench
