// The program's call stack at any cycle, kept from the calls and returns that retire; for folded stacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::testbench {

class CallStack {
 public:
  /// Of the program of this hardware thread.
  explicit CallStack(unsigned thread) : thread_(thread) {}
  /// Takes note of a block's calls and returns. The block before must be over.
  void consume(const activity::Block& block);
  /// Entry addresses of the functions that are active behind cycle `at` - 1, outermost first. Cycles rise.
  [[nodiscard]] const std::vector<std::uint64_t>& at(activity::Cycle at);

 private:
  struct Step {
    std::uint64_t id;  ///< of the instruction: program order
    activity::Cycle cycle;
    bool call;
    std::uint64_t target;
  };
  void apply(const Step& step);
  unsigned thread_;
  std::vector<std::uint64_t> stack_;
  std::vector<Step> steps_;  ///< of the present block
  std::size_t next_ = 0;
};

}  // namespace pmusim::testbench
