#include "testbench/cli/call_stack.h"

#include <algorithm>

namespace pmusim::testbench {

namespace {

using activity::Trait;

/// Calls and returns are told by traits, on IA-64 by what the syllable says.
bool is_call(const activity::Block& block, std::uint32_t ref) {
  if (block.syllables.empty()) return block.instructions[ref].has(Trait::call);
  return block.syllables[ref].has(activity::ia64::Kind::call);
}
bool is_return(const activity::Block& block, std::uint32_t ref) {
  if (block.syllables.empty()) return block.instructions[ref].has(Trait::near_return);
  return block.syllables[ref].branch_class == activity::ia64::BranchClass::return_;
}

}  // namespace

void CallStack::apply(const Step& step) {
  if (step.call) {
    stack_.push_back(step.target);
  } else if (!stack_.empty()) {
    stack_.pop_back();
  }
}

void CallStack::consume(const activity::Block& block) {
  for (; next_ < steps_.size(); ++next_) apply(steps_[next_]);
  steps_.clear();
  next_ = 0;
  const auto note = [&](activity::Signal signal) {
    for (const activity::Occurrence& occurrence : block.column(signal)) {
      const activity::InstructionRecord& instruction = block.instructions[occurrence.ref];
      if (!instruction.taken || instruction.wrong_path || instruction.thread != thread_) continue;
      const bool call = is_call(block, occurrence.ref);
      if (!call && !is_return(block, occurrence.ref)) continue;
      steps_.push_back({instruction.id, block.begin + occurrence.at, call, instruction.next_ip});
    }
  };
  note(activity::Signal::retire);
  note(activity::Signal::fold);  // the 750's returns never retire
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.id < b.id; });
}

const std::vector<std::uint64_t>& CallStack::at(activity::Cycle at) {
  for (; next_ < steps_.size() && steps_[next_].cycle < at; ++next_) apply(steps_[next_]);
  return stack_;
}

}  // namespace pmusim::testbench
