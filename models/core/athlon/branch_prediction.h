// Prediction of the next fetch address: branch target buffer, global-history counters, return address stack.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/athlon/static_code.h"
#include "models/core/parts/predictor.h"

namespace pmusim::core::athlon {

/// The speculative part of the predictor, restored when fetch is redirected. The contents of the return stack are not
/// restored: a wrong path can overwrite them, as in hardware.
struct PredictorState {
  std::uint32_t history = 0;  ///< outcomes of conditional branches, the latest in bit 0
  std::uint16_t stack_top = 0;
  std::uint16_t stack_live = 0;
};

struct Prediction {
  std::uint64_t next = 0;     ///< next fetch address
  std::uint32_t counter = 0;  ///< index of the direction counter
  bool taken = false;
  bool late = false;               ///< a direct target that is known only after decode
  std::uint16_t stack_detail = 0;  ///< detail of Signal::return_stack; 0: stack not used
};

class BranchPrediction {
 public:
  explicit BranchPrediction(const Settings& settings);
  /// Predicts a branch and updates the speculative state.
  Prediction predict(const StaticCode& code);
  /// Trains the predictor with the outcome of a branch that retires.
  void train(const StaticCode& code, std::uint32_t counter, bool taken, std::uint64_t target);
  [[nodiscard]] const PredictorState& state() const { return state_; }
  void restore(const PredictorState& state) { state_ = state; }
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
};

}  // namespace pmusim::core::athlon
