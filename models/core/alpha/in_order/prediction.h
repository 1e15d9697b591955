// Branch prediction of the in-order chips: one history per instruction of the Icache, and a stack of return addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/alpha/in_order/settings.h"
#include "models/core/alpha/static_code.h"

namespace pmusim::core::alpha {

class Prediction {
 public:
  explicit Prediction(const InOrderSettings& pipeline);

  struct Guess {
    bool taken = false;
    bool right = true;
  };
  /// Predicts a branch and trains the predictor; `taken` and `target` are the outcome. Branches with displacement are
  /// predicted taken or not taken. Jumps have a predicted address: from the return stack, or the 16 bits of the hint.
  Guess predict(const StaticCode& code, bool taken, std::uint64_t target);

 private:
  /// The history of an instruction. If another instruction takes its entry, the history starts from the sign of the
  /// displacement: backward is predicted taken.
  struct History {
    std::uint64_t pc = ~std::uint64_t{0};
    std::uint8_t counter = 0;  ///< 0 to `most_`; taken if in the upper half
  };
  bool predict_direction(const StaticCode& code, bool taken);
  void push(std::uint64_t address);
  [[nodiscard]] std::uint64_t pop();

  std::vector<History> history_;
  std::uint8_t most_;
  std::vector<std::uint64_t> stack_;  ///< a ring
  std::size_t top_ = 0;
};

}  // namespace pmusim::core::alpha
