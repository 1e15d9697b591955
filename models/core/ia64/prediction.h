// Branch prediction: directions from two-bit counters with a global history, or from the hint while a branch is
// unknown; targets from the encoding, the return stack, or the last target of an indirect branch.
#pragma once

#include <array>
#include <vector>

#include "models/core/ia64/machine.h"
#include "models/core/ia64/operation.h"
#include "models/core/parts/predictor.h"

namespace pmusim::core::ia64 {

struct Guess {
  bool taken = false;
  bool unknown = false;      ///< there was no prediction of the direction
  bool corrected = false;    ///< predicted taken: fetch went elsewhere until decode computed the target
  std::uint64_t target = 0;  ///< 0: not known
  Cycle bubbles = 0;         ///< predicted taken: cycles without fetch
  act::FrontEnd why = act::FrontEnd::none;
};

class BranchPrediction {
 public:
  explicit BranchPrediction(const Settings& settings);

  /// The prediction for this branch. `actual_taken` is used where the loop predictor knows the count.
  [[nodiscard]] Guess guess(const StaticBundle& bundle, const Operation& branch, bool loop_ends) const;
  /// Trains the predictor with the outcome of a branch on the program's path.
  void learn(const StaticBundle& bundle, const Operation& branch, bool taken, std::uint64_t target);
  /// Selects the return stack of a thread.
  void set_thread(unsigned thread) { thread_ = thread; }

 private:
  struct Known {
    std::uint64_t branch = 0;  ///< bundle address and slot; 0: none
    std::uint64_t target = 0;  ///< where it went last, if it was taken
  };
  [[nodiscard]] std::uint64_t index(const BranchFacts& branch) const { return branch.history_at ^ history_ << 2; }

  const Settings& settings_;
  TwoBitTable counters_;
  [[nodiscard]] bool decode_corrects(const Known* known, std::uint64_t target) const;
  std::vector<Known> known_;
  std::array<std::vector<std::uint64_t>, 2> return_stacks_;  ///< a thread's each, youngest last
  unsigned thread_ = 0;
  std::uint64_t history_ = 0;
};

}  // namespace pmusim::core::ia64
