// The physical registers of one kind that hold results: each result in flight takes one at map. When it retires, it
// becomes a value of the architecture, and the register of the value before is free some cycles later.
#pragma once

#include "models/core/parts/releasing.h"

namespace pmusim::core::alpha::out_of_order {

class ResultRegisters {
 public:
  explicit ResultRegisters(unsigned registers) : registers_(registers) {}
  [[nodiscard]] bool free(unsigned least, Cycle now) { return held_ + releasing_.held(now) + least <= registers_; }
  /// True if some may be free later without a retirement.
  [[nodiscard]] bool releasing() const { return !releasing_.empty(); }
  void take(unsigned results) { held_ += results; }
  /// Results that retire; the registers are free from cycle `free_at` on.
  void retire(unsigned results, Cycle now, Cycle free_at) {
    if (results == 0) return;
    held_ -= results;
    releasing_.give_back(now, free_at, results);
  }
  void kill(unsigned results) { held_ -= results; }

 private:
  unsigned registers_;
  unsigned held_ = 0;  ///< by results that have not retired
  Releasing releasing_;
};

}  // namespace pmusim::core::alpha::out_of_order
