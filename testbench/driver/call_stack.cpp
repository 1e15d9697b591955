#include "testbench/driver/call_stack.h"

#include <algorithm>

namespace pmusim::testbench {

namespace {

using activity::Trait;

constexpr std::uint64_t first_foreign_id = std::uint64_t{1} << 62;  ///< from here on: not of the program's path

/// Traits mark calls and returns; on IA-64 the syllable does.
bool is_call(const activity::Block& block, std::uint32_t ref) {
  if (block.syllables.empty()) return block.instructions[ref].has(Trait::call);
  return block.syllables[ref].has(activity::ia64::Kind::call);
}
bool is_return(const activity::Block& block, std::uint32_t ref) {
  if (block.syllables.empty()) return block.instructions[ref].has(Trait::near_return);
  return block.syllables[ref].branch_class == activity::ia64::BranchClass::return_;
}
std::uint64_t fall_through_of(const activity::Block& block, std::uint32_t ref) {
  const activity::InstructionRecord& instruction = block.instructions[ref];
  return block.syllables.empty() ? instruction.ip + instruction.length : (instruction.ip & ~std::uint64_t{15}) + 16;
}

}  // namespace

void CallStack::apply(const Step& step) {
  if (step.call) {
    returns_to_ = step.fall_through;
    if (watcher_) watcher_(step.cycle, stack_.size(), step.target);
    stack_.push_back(step.target);
    returns_.push_back(step.fall_through);
    return;
  }
  const auto caller = std::find(returns_.rbegin(), returns_.rend(), step.target);
  if (caller == returns_.rend()) return;
  const auto depth = static_cast<std::size_t>(returns_.rend() - caller) - 1;
  stack_.resize(depth);
  returns_.resize(depth);
  if (watcher_) watcher_(step.cycle, depth, 0);
}

void CallStack::note(const activity::Block& block, std::uint32_t ref, activity::Cycle cycle, bool folded) {
  const activity::InstructionRecord& instruction = block.instructions[ref];
  const bool call = is_call(block, ref);
  if (!call && !is_return(block, ref)) return;
  const Step step{cycle, call, instruction.next_ip, fall_through_of(block, ref)};
  if (step.target == step.fall_through) return;
  if (folded) {  // the outcome may not have been known at that time; the successor always is
    folded_.insert_or_assign(instruction.id, step);
  } else if (instruction.taken) {
    steps_.push_back(step);
  }
}

// The 750 folds returns out of the queue long before the instructions ahead of them retire. A folded return takes
// effect with the next later instruction that retires.
void CallStack::consume(const activity::Block& block) {
  for (; next_ < steps_.size(); ++next_) apply(steps_[next_]);
  steps_.clear();
  next_ = 0;
  const auto of_program = [&](const activity::Occurrence& occurrence) {
    const activity::InstructionRecord& instruction = block.instructions[occurrence.ref];
    return !instruction.wrong_path && instruction.thread == thread_ && instruction.id < first_foreign_id;
  };
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::fold)) {
    if (of_program(occurrence)) note(block, occurrence.ref, block.begin + occurrence.at, true);
  }
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::retire)) {
    if (!of_program(occurrence)) continue;
    const activity::Cycle cycle = block.begin + occurrence.at;
    const std::uint64_t id = block.instructions[occurrence.ref].id;
    while (!folded_.empty() && folded_.begin()->first < id) {
      steps_.push_back(folded_.begin()->second);
      steps_.back().cycle = cycle;
      folded_.erase(folded_.begin());
    }
    note(block, occurrence.ref, cycle, false);
  }
}

const std::vector<std::uint64_t>& CallStack::at(activity::Cycle at) {
  for (; next_ < steps_.size() && steps_[next_].cycle < at; ++next_) apply(steps_[next_]);
  return stack_;
}

std::uint64_t CallStack::caller_at(activity::Cycle at) {
  (void)this->at(at);
  return returns_.empty() ? 0 : returns_.back();
}

}  // namespace pmusim::testbench
