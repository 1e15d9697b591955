// The counts that the oracle expects for all checks of a task, and the groups that it expects to stay idle.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/judge/trial/judge.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench {

/// The parameters of a group's PMU; if two threads run together, those of its thread.
[[nodiscard]] models::Parameters parameters_of(const Task& task, unsigned thread);

/// True if the group's only check is a statistic of instructions that the hardware selects.
[[nodiscard]] inline bool profiles(const Group& group) {
  return group.sampled && group.sampled->by == Sampled::By::profile_me;
}

/// A request without a check, for the monitor of one thread.
struct Further {
  unsigned thread = 0;
  oracle::Request request;
};

/// One oracle counter for all checks and further requests that one pass can count.
class Expectations {
  using Pass = std::pair<unsigned, std::string_view>;  ///< thread, and the name of the oracle's pass

 public:
  Expectations(const Task& task, const std::vector<Further>& further);
  void consume(const activity::Block& block) {
    for (const auto& counter : counters_) counter->consume(block);
  }
  /// For a sampled check: the cycles in which its count reached a multiple of the period.
  [[nodiscard]] const std::vector<Cycle>& overflows(std::size_t check) const {
    return list_[check].counter->crossings(list_[check].request);
  }
  /// In the order of groups and checks, then the further requests.
  [[nodiscard]] oracle::Tally tally(std::size_t check) const {
    return list_[check].counter->tally(list_[check].request);
  }

 private:
  struct ExpectedCount {
    oracle::Counter* counter = nullptr;
    std::size_t request = 0;
  };
  void watch_sampled(const Task& task);
  std::vector<std::unique_ptr<oracle::Counter>> counters_;
  std::vector<ExpectedCount> list_;
};

// Leaves out of a plan what a short trace cannot show. On most micro-traces only a part of the events occurs. There the
// modifiers of the other events would have 0 compared with 0.

/// Those of `groups`, indices into the plan, that are not idle on the traces of the task. A group is idle if none of
/// its events occurs at any privilege level. Never idle are sets of several events without modifiers, in which a
/// counter must not count anything else; groups that may count although their events do not occur; groups of captures;
/// and groups without registers in their answer. What is idle depends on the whole plan, not on the choice of `groups`;
/// the task's own plan is ignored. Runs the core once more, without a PMU.
[[nodiscard]] std::vector<std::size_t> without_idle_groups(const Task& task, const AnsweredPlan& plan,
                                                           const std::vector<std::size_t>& groups);

}  // namespace pmusim::testbench
