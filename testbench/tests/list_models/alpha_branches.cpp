#include <fmt/format.h>

#include "testbench/tests/list_models/alpha_path.h"

namespace pmusim::testbench::alpha::lists {

namespace d = activity::detail;
using Flow = Word::Flow;

namespace {

bool predicted(Flow flow) { return flow != Flow::other && flow != Flow::leaves; }

}  // namespace

InOrderBranches::InOrderBranches(const models::Parameters& p, const Program& program)
    : program_(program),
      places_(static_cast<std::size_t>(p.get("core.history_entries"))),
      highest_((1u << p.get("core.history_bits")) - 1),
      depth_(static_cast<std::size_t>(p.get("core.return_stack"))) {
  find_next();
}

void InOrderBranches::find_next() {
  while (next_ != program_.steps.size() && !predicted(program_.steps[next_].word.flow())) ++next_;
}

void InOrderBranches::calls(std::uint64_t back) {
  if (stack_.size() == depth_) stack_.erase(stack_.begin());
  stack_.push_back(back);
}

bool InOrderBranches::returns_to(std::uint64_t next) {
  if (stack_.empty()) return false;
  const bool right = stack_.back() == next;
  stack_.pop_back();
  return right;
}

bool InOrderBranches::direction(const Word& word, bool taken) {
  Place& place = places_[word.pc / 4 % places_.size()];
  if (!place.used || place.pc != word.pc) {
    place = {word.pc, {highest_ / 2 + (word.backward() ? 1u : 0u), highest_}, true};
  }
  const bool guess = place.counter.upper_half();
  place.counter.follow(taken);
  return guess;
}

InOrderBranches::Prediction InOrderBranches::predict(const Program::Step& step) {
  const std::uint64_t back = step.word.pc + 4;
  const bool hint_right = (step.word.target() & 0xffff) == (step.next & 0xffff);
  switch (step.word.flow()) {
    case Flow::conditional: {
      const bool taken = direction(step.word, step.taken);
      return {taken, taken == step.taken};
    }
    case Flow::bsr:
      calls(back);
      return {};
    case Flow::jmp:
      return {true, hint_right};
    case Flow::jsr:
      calls(back);
      return {true, hint_right};
    case Flow::ret:
      return {true, returns_to(step.next)};
    case Flow::coroutine: {
      const bool right = returns_to(step.next);
      calls(back);
      return {true, right};
    }
    default:
      return {};
  }
}

void InOrderBranches::see(Cycle now, std::span<const Seen> seen) {
  for (const Seen& s : seen) {
    if (s.signal != Signal::branch_resolved) continue;
    const std::uint64_t id = s.instruction->id;
    if (id != next_) {
      return differs(at(now) + fmt::format("instruction {} is not the next branch, which is {}", id, next_));
    }
    const Program::Step& step = program_.steps[next_];
    const Prediction p = predict(step);
    unsigned detail = d::branch_predicted;
    if (step.word.flow() == Flow::conditional) detail |= d::branch_conditional;
    if (step.taken) detail |= d::branch_taken;
    if (p.taken) detail |= d::branch_predicted_taken;
    if (p.right) detail |= d::branch_correct;
    if (detail != s.detail) {
      std::string held = fmt::format("; its place holds {}; the return stack",
                                     places_[step.word.pc / 4 % places_.size()].counter.value);
      for (const std::uint64_t address : stack_) held += fmt::format(" {:x}", address);
      return differs(at(now) +
                     fmt::format("branch {} at {:x}, which goes to {:x}: detail {:x} instead of {:x}", id, step.word.pc,
                                 step.next, s.detail, detail) +
                     held);
    }
    ++next_;
    find_next();
  }
}

void InOrderBranches::end() {
  if (next_ != program_.steps.size()) differs(fmt::format("branch {} has not resolved", next_));
}

}  // namespace pmusim::testbench::alpha::lists
