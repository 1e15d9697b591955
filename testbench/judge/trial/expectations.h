// The counts that the oracle expects for all checks of a task.
#pragma once

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
  struct Place {
    oracle::Counter* counter = nullptr;
    std::size_t request = 0;
  };
  void watch_sampled(const Task& task);
  std::vector<std::unique_ptr<oracle::Counter>> counters_;
  std::vector<Place> list_;
};

}  // namespace pmusim::testbench
