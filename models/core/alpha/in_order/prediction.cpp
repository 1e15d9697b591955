#include "models/core/alpha/in_order/prediction.h"

namespace pmusim::core::alpha {

using Branch = StaticCode::Branch;

Prediction::Prediction(const InOrderSettings& pipeline)
    : history_(pipeline.history_entries),
      most_(static_cast<std::uint8_t>((1u << pipeline.history_bits) - 1)),
      stack_(pipeline.return_stack) {}

bool Prediction::predict_direction(const StaticCode& code, bool taken) {
  History& history = history_[code.pc / 4 & (history_.size() - 1)];
  const auto threshold = static_cast<std::uint8_t>(most_ / 2 + 1);
  if (history.pc != code.pc) {
    history.pc = code.pc;
    history.counter = code.backward ? threshold : static_cast<std::uint8_t>(threshold - 1);
  }
  const bool guess = history.counter >= threshold;
  if (taken && history.counter < most_) ++history.counter;
  if (!taken && history.counter > 0) --history.counter;
  return guess;
}

void Prediction::push(std::uint64_t address) {
  top_ = (top_ + 1) % stack_.size();
  stack_[top_] = address;
}

std::uint64_t Prediction::pop() {
  const std::uint64_t address = stack_[top_];
  stack_[top_] = 0;
  top_ = (top_ + stack_.size() - 1) % stack_.size();
  return address;
}

Prediction::Guess Prediction::predict(const StaticCode& code, bool taken, std::uint64_t target) {
  constexpr std::uint64_t hint_mask = 0xffff;
  switch (code.branch) {
    case Branch::conditional: {
      const bool guess = predict_direction(code, taken);
      return {guess, guess == taken};
    }
    case Branch::subroutine:
      push(code.next());
      return {true, true};
    case Branch::computed_subroutine:
      push(code.next());
      return {true, ((target ^ code.hint) & hint_mask) == 0};
    case Branch::computed:
      return {true, ((target ^ code.hint) & hint_mask) == 0};
    case Branch::subroutine_return:
      return {true, pop() == target};
    case Branch::coroutine: {
      const bool right = pop() == target;
      push(code.next());
      return {true, right};
    }
    default:
      return {true, true};
  }
}

}  // namespace pmusim::core::alpha
