// Time without SystemC: each PMU processes the block on its own and calls handlers where it stops.
#include "testbench/driver/direct_engine.h"

#include <algorithm>
#include <iterator>

#include "models/pmu/monitor.h"

namespace pmusim::testbench {

namespace {

/// In a shorter time even the shortest period does not recur often enough.
constexpr Cycle worthwhile = 4096;

}  // namespace

Recurrence::Recurrence(pmu::Follower& follower, std::vector<std::uint64_t*> tallies) : follower_(follower) {
  if (dynamic_cast<const pmu::Recurring*>(&follower.monitor()) != nullptr) tallies_ = std::move(tallies);
}

/// The idle stretch around cycle `at`.
void Recurrence::look_around(const Block& block, Cycle at) {
  constant_from_ = block.begin;
  constant_until_ = block.end;
  const auto narrow = [&](const auto& column) {
    const auto next = std::lower_bound(column.begin(), column.end(), at - block.begin,
                                       [](const auto& entry, Cycle offset) { return entry.at < offset; });
    if (next != column.end()) constant_until_ = std::min(constant_until_, block.begin + next->at);
    if (next != column.begin()) constant_from_ = std::max(constant_from_, block.begin + std::prev(next)->at + 1);
  };
  for (const auto& column : block.columns) narrow(column);
  for (const activity::StateColumn& state : block.states) narrow(state.changes);
  narrow(block.accesses);
}

// What is known about one block holds in the next one as long as the next one begins in the state in which the last one
// ended.
void Recurrence::begin(const Block& block) {
  if (!earlier_) return;
  bool same = constant_until_ == block.begin;
  for (std::size_t i = 0; i < levels_.size(); ++i) same = same && block.states[i].initial == levels_[i];
  if (!same) return forget();
  look_around(block, block.begin);
  jump();
}

// The reference moment moves at powers of two, so that the longest period is found.
void Recurrence::taken(const Block& block) {
  const Cycle now = follower_.consumed();
  if (tallies_.empty() || now == block.end || follower_.line()) return;
  if (!earlier_ || now > constant_until_) {
    forget();
    look_around(block, now);
    if (now > constant_from_ && constant_until_ - now >= worthwhile) note(block);
    return;
  }
  if (period_) return jump();
  if (dynamic_cast<const pmu::Recurring&>(follower_.monitor()).recurs(*earlier_->monitor, now - earlier_->cycle)) {
    period_ = Period{now - earlier_->cycle, {}};
    const std::vector<std::uint64_t*> numbers = growing();
    for (std::size_t i = 0; i < numbers.size(); ++i) period_->growth.push_back(*numbers[i] - earlier_->values[i]);
    return jump();
  }
  if (++since_ < most_since_) return;
  most_since_ *= 2;
  note(block);
}

std::vector<std::uint64_t*> Recurrence::growing() const {
  std::vector<std::uint64_t*> numbers = dynamic_cast<pmu::Recurring&>(follower_.monitor()).grows();
  numbers.insert(numbers.end(), tallies_.begin(), tallies_.end());
  return numbers;
}

void Recurrence::note(const Block& block) {
  earlier_ = Moment{follower_.consumed(), follower_.monitor().clone(), {}};
  for (const std::uint64_t* const number : growing()) earlier_->values.push_back(*number);
  since_ = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i)
    levels_[i] = block.state_at(static_cast<activity::State>(i), follower_.consumed());
}

void Recurrence::forget() {
  earlier_.reset();
  period_.reset();
  most_since_ = 1;
}

/// Skips as many whole periods as fit.
void Recurrence::jump() {
  if (!period_ || follower_.line()) return;
  const std::uint64_t times = (constant_until_ - follower_.consumed()) / period_->cycles;
  if (times == 0) return;
  const std::vector<std::uint64_t*> numbers = growing();
  for (std::size_t i = 0; i < numbers.size(); ++i) *numbers[i] += times * period_->growth[i];
  follower_.start_at(follower_.consumed() + times * period_->cycles);
}

namespace {

class DirectEngine final : public TimeKeeper {
 public:
  DirectEngine(std::vector<EngineMonitor> monitors, const SessionOptions& options, Cycle first_cycle) {
    for (EngineMonitor& parts : monitors) {
      monitors_.push_back(
          std::make_unique<DirectMonitor>(std::move(parts), options.counter_reads_allowed, first_cycle));
    }
  }
  void run(const std::function<void()>& body) override { body(); }
  void consume(const Block& block) override {
    for (auto& monitor : monitors_) monitor->consume(block);
  }
  RegisterBus& bus(std::size_t monitor) override { return monitors_[monitor]->bus(); }
  const pmu::Follower& follower(std::size_t monitor) const override { return monitors_[monitor]->follower(); }
  void hold_until(Cycle cycle) override {
    for (auto& monitor : monitors_) monitor->follower().hold_until(cycle);
  }

 private:
  std::vector<std::unique_ptr<DirectMonitor>> monitors_;
};

}  // namespace

std::unique_ptr<TimeKeeper> make_direct(std::vector<EngineMonitor> monitors, const SessionOptions& options,
                                        Cycle first_cycle) {
  return std::make_unique<DirectEngine>(std::move(monitors), options, first_cycle);
}

Stepper::Stepper(const models::Target& target, const models::Parameters& parameters,
                 std::vector<std::unique_ptr<trace::Reader>> traces, const SessionOptions& options)
    : source_(core_of(target, parameters, std::move(traces)), options.counted(), false),
      follower_(target.make_monitor(parameters), options.counter_reads_allowed),
      block_cycles_(options.block_cycles) {
  follower_.start_at(source_.now());
}

std::optional<pmu::EntryState> Stepper::advance(Cycle cycles) {
  const Cycle begin = now(), to = cycles < activity::never - begin ? begin + cycles : activity::never;
  while (!ended_ && now() < to) {
    if (block_ == nullptr || block_->end <= now()) block_ = source_.next(block_cycles_);
    if (block_ == nullptr) {
      ended_ = true;
    } else if (follower_.advance(*block_, std::min(block_->end, to)).taking) {
      return follower_.take(*block_);
    }
  }
  return std::nullopt;
}

}  // namespace pmusim::testbench
