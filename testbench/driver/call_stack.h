// The program's call stack at any cycle, built from the calls and returns that retire. Folded stacks and callers use
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::testbench {

/// A return closes the innermost call with that return address, and all calls inside it. A return without a matching
/// call changes nothing. A call to the next instruction, which only reads its own address, does not count as a call.
class CallStack {
 public:
  /// The stack of this hardware thread's program.
  explicit CallStack(unsigned thread) : thread_(thread) {}
  /// Called for every change, in order. For a call, `depth` is the number of calls open before it and `entry` is its
  /// target. For a return, `depth` is the number of calls still open and `entry` is 0. A change holds from the cycle
  /// after `at` on.
  using Watcher = std::function<void(activity::Cycle at, std::size_t depth, std::uint64_t entry)>;
  void on_change(Watcher watcher) { watcher_ = std::move(watcher); }
  /// For a watcher that is told of a call: the address to which it returns.
  [[nodiscard]] std::uint64_t returns_to() const { return returns_to_; }
  /// Reads the calls and returns of a block. All cycles of the block before must have passed.
  void consume(const activity::Block& block);
  /// Entry addresses of the functions that are active after cycle `at` - 1, outermost first. `at` must not decrease
  /// from call to call.
  [[nodiscard]] const std::vector<std::uint64_t>& at(activity::Cycle at);
  /// Return address of the innermost active function; 0 if there is none.
  [[nodiscard]] std::uint64_t caller_at(activity::Cycle at);

 private:
  struct Step {
    activity::Cycle cycle;
    bool call;
    std::uint64_t target;
    std::uint64_t fall_through;  ///< address of the next instruction: where a call comes back to
  };
  void note(const activity::Block& block, std::uint32_t ref, activity::Cycle cycle, bool folded);
  void apply(const Step& step);
  unsigned thread_;
  Watcher watcher_;
  std::uint64_t returns_to_ = 0;
  std::vector<std::uint64_t> stack_;    ///< entry addresses
  std::vector<std::uint64_t> returns_;  ///< where each of them comes back to
  std::vector<Step> steps_;             ///< of the present block
  std::size_t next_ = 0;
  std::map<std::uint64_t, Step> folded_;  ///< branches that never retire, by their place in the program
};

}  // namespace pmusim::testbench
