// The program's call stack at any cycle, kept from the calls and returns that retire; for folded stacks and callers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::testbench {

/// A return ends the innermost call that it goes back to, and all calls inside of that one; one that goes back to no
/// call changes nothing. A call of the next instruction, which only learns its own address, is no call.
class CallStack {
 public:
  /// Of the program of this hardware thread.
  explicit CallStack(unsigned thread) : thread_(thread) {}
  /// Told of every change when it is passed over, in order: a call (`depth` calls are open without it, `entry` is where
  /// it goes), or a return, after which `depth` are open (`entry` is 0). It holds from the cycle after `at` on.
  using Watcher = std::function<void(activity::Cycle at, std::size_t depth, std::uint64_t entry)>;
  void on_change(Watcher watcher) { watcher_ = std::move(watcher); }
  /// Takes note of a block's calls and returns. The block before must be over.
  void consume(const activity::Block& block);
  /// Entry addresses of the functions that are active after cycle `at` - 1, outermost first. Cycles rise.
  [[nodiscard]] const std::vector<std::uint64_t>& at(activity::Cycle at);
  /// Where the innermost of them comes back to; 0 if there is none.
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
  std::vector<std::uint64_t> stack_;    ///< entry addresses
  std::vector<std::uint64_t> returns_;  ///< where each of them comes back to
  std::vector<Step> steps_;             ///< of the present block
  std::size_t next_ = 0;
  std::map<std::uint64_t, Step> folded_;  ///< branches that never retire, by their place in the program
};

}  // namespace pmusim::testbench
