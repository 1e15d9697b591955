// Prediction of the next fetch address: branch target buffer, global-history counters, return address stack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/athlon/static_code.h"
#include "models/core/parts/predictor.h"

namespace pmusim::core::athlon {

class BranchPrediction {
 public:
  explicit BranchPrediction(const Settings& settings);
  /// Predicts a branch and updates the speculative state.
  Prediction predict(const StaticCode& code);
  /// Trains the predictor with the outcome of a branch that retires.
  void train(const StaticCode& code, std::uint32_t counter, bool taken, std::uint64_t target);
  [[nodiscard]] const PredictorState& state() const { return state_; }
  void restore(const PredictorState& state) { state_ = state; }
  /// Repeats the steps of a tape. False if a prediction differs; the predictor is then unchanged.
  [[nodiscard]] bool repeat(std::span<const BranchStep> steps);
  /// Mask of the history bits on which predictions depend.
  [[nodiscard]] std::uint32_t history_mask() const { return (1u << settings_.history_bits) - 1; }
  /// Replaces the last bit of the history by the actual outcome.
  void correct_history(const PredictorState& before, bool taken) {
    state_.history = before.history << 1 | (taken ? 1 : 0);
  }

 private:
  struct Target {
    std::uint64_t pc = ~std::uint64_t{0};
    std::uint64_t target = 0;
  };
  [[nodiscard]] const Target* find(std::uint64_t pc) const {
    const Target& entry = targets_[pc & (targets_.size() - 1)];
    return entry.pc == pc ? &entry : nullptr;
  }
  [[nodiscard]] std::uint32_t counter_index(std::uint64_t pc) const;
  std::uint16_t push(std::uint64_t address);
  bool pop(std::uint64_t& address);

  const Settings& settings_;
  std::vector<Target> targets_;
  TwoBitTable counters_;
  std::vector<std::uint64_t> stack_;
  PredictorState state_;
  struct Undo {
    std::uint32_t counter;
    std::uint8_t counter_value;
    std::size_t target, stack;
    Target target_value;
    std::uint64_t stack_value;
  };
  std::vector<Undo> undo_;
};

}  // namespace pmusim::core::athlon
