#include "testbench/profile/calls.h"

#include <algorithm>

namespace pmusim::testbench {

using activity::Cycle;

CallCosts::CallCosts(unsigned thread, std::size_t events) : thread_(thread), stack_(thread), events_(events) {
  sums_.events.resize(events);
  stack_.on_change([this](Cycle at, std::size_t depth, std::uint64_t entry) { change(at, depth, entry); });
}

// The stack tells the changes of a block at the next one, when the counters have added all of it.
void CallCosts::consume(const activity::Block& block) {
  if (!begun_) summed_ = block.begin;
  begun_ = true;
  stack_.consume(block);
  sum_up_to(block.begin);
  end_ = block.end;
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::retire)) {
    const activity::InstructionRecord& instruction = block.instructions[occurrence.ref];
    if (instruction.wrong_path || instruction.thread != thread_) continue;
    const Cycle at = block.begin + occurrence.at;
    if (retired_.empty() || retired_.back().first != at) retired_.emplace_back(at, 0);
    ++retired_.back().second;
  }
}

std::vector<Call> CallCosts::finish() {
  (void)stack_.at(end_ + 1);
  sum_up_to(end_);
  close(0);
  std::vector<Call> all;
  for (auto& [key, call] : calls_) all.push_back(std::move(call));
  return all;
}

void CallCosts::change(Cycle at, std::size_t depth, std::uint64_t entry) {
  sum_up_to(at + 1);
  close(depth);
  if (entry == 0) return;
  const std::pair key(stack_.returns_to(), entry);
  Call& call = calls_[key];
  call.site = key.first;
  call.callee = entry;
  call.events.resize(events_.size());
  ++call.count;
  const bool again = std::any_of(open_.begin(), open_.end(), [&](const Open& one) { return one.key.second == entry; });
  open_.push_back({key, sums_, again});
}

void CallCosts::sum_up_to(Cycle end) {
  if (end <= summed_) return;
  sums_.cycles += end - summed_;
  summed_ = end;
  for (; next_retired_ < retired_.size() && retired_[next_retired_].first < end; ++next_retired_)
    sums_.instructions += retired_[next_retired_].second;
  if (next_retired_ == retired_.size()) {
    retired_.clear();
    next_retired_ = 0;
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Event& event = events_[i];
    for (; event.next < event.runs.size() && event.runs[event.next].begin < end; ++event.next) {
      pmu::Run& run = event.runs[event.next];
      const Cycle to = std::min(run.end, end);
      sums_.events[i] += run.n * (to - run.begin);
      run.begin = to;
      if (run.begin != run.end) break;
    }
    if (event.next != event.runs.size()) continue;
    event.runs.clear();
    event.next = 0;
  }
}

void CallCosts::close(std::size_t depth) {
  while (open_.size() > depth) {
    const Open& last = open_.back();
    Call& call = calls_.at(last.key);
    if (!last.again) {
      call.cycles += sums_.cycles - last.before.cycles;
      call.instructions += sums_.instructions - last.before.instructions;
      for (std::size_t i = 0; i < call.events.size(); ++i) call.events[i] += sums_.events[i] - last.before.events[i];
    }
    open_.pop_back();
  }
}

}  // namespace pmusim::testbench
