#include "testbench/profile/waiting.h"

#include <algorithm>

namespace pmusim::testbench {
namespace {

constexpr std::uint64_t first_foreign_id = std::uint64_t{1} << 62;  ///< larger ids are not on the program's path
constexpr std::size_t remembered_blocks =
    4;  ///< an amount that a counter adds late is charged to the cycle in which it occurred

}  // namespace

void Retirements::consume(const activity::Block& block) {
  if (!begun_) next_ = known_ = block.begin;
  begun_ = true;
  end_ = block.end;
  blocks_.push_back(block.begin);
  if (blocks_.size() > remembered_blocks) {
    blocks_.pop_front();
    known_ = blocks_.front();
    while (!first_.empty() && first_.front().first < known_) first_.pop_front();
  }
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::retire)) {
    const activity::InstructionRecord& instruction = block.instructions[occurrence.ref];
    if (instruction.wrong_path || instruction.thread != thread_ || instruction.id >= first_foreign_id) continue;
    const activity::Cycle cycle = block.begin + occurrence.at;
    const Culprit culprit{instruction.ip, instruction.slot, true};
    ++instructions_[culprit];
    if (cycle < next_) continue;  // not the first retirement of its cycle
    cycles_[culprit] += cycle + 1 - next_;
    next_ = cycle + 1;
    first_.emplace_back(cycle, culprit);
  }
}

activity::Cycle Retirements::charge(activity::Cycle from, activity::Cycle to, std::uint64_t n, Charges& charges,
                                    std::uint64_t& lost) const {
  if (from < known_) {
    const activity::Cycle known = std::min(known_, to);
    lost += n * (known - from);
    from = known;
  }
  auto next = std::ranges::lower_bound(first_, from, {}, &std::pair<activity::Cycle, Culprit>::first);
  for (; from < to && next != first_.end(); ++next) {
    const activity::Cycle until = std::min(next->first + 1, to);
    charges[next->second] += n * (until - from);
    from = until;
  }
  return from;
}

void WaitingRecorder::unnamed(unsigned counter, pmu::Cycle from, pmu::Cycle to, std::uint64_t n) {
  if (counter != counter_) return;
  if (!open_.empty() && open_.back().to == from && open_.back().n == n) {
    open_.back().to = to;
  } else {
    open_.push_back({from, to, n});
  }
}

void WaitingRecorder::settle(const Retirements& retirements) {
  for (Stretch& stretch : open_) stretch.from = retirements.charge(stretch.from, stretch.to, stretch.n, waited_, lost_);
  std::erase_if(open_, [](const Stretch& stretch) { return stretch.from == stretch.to; });
}

}  // namespace pmusim::testbench
