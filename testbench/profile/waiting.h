// Assigns each cycle to the instruction for which the program waits: the first one that retires in the cycle or after
// it. Thus every cycle of a run belongs to an instruction, and a stall to the instruction that was late.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

using Charges = std::map<Culprit, std::uint64_t>;

/// The retirements of a hardware thread's program, without wrong paths and handlers.
class Retirements {
 public:
  explicit Retirements(unsigned thread) : thread_(thread) {}
  /// All cycles of the previous block must have passed.
  void consume(const activity::Block& block);
  /// Charges `n` in each cycle of [from, to) for which the retiring instruction is known. Returns the first cycle that
  /// could not be charged. Cycles that are too old are added to `lost`.
  activity::Cycle charge(activity::Cycle from, activity::Cycle to, std::uint64_t n, Charges& charges,
                         std::uint64_t& lost) const;
  [[nodiscard]] const Charges& cycles() const { return cycles_; }
  [[nodiscard]] const Charges& instructions() const { return instructions_; }
  /// Number of cycles after the last retirement.
  [[nodiscard]] std::uint64_t rest() const { return end_ - next_; }

 private:
  unsigned thread_;
  bool begun_ = false;
  activity::Cycle next_ = 0;  ///< after the last cycle in which something retires
  activity::Cycle end_ = 0;
  activity::Cycle known_ = 0;  ///< retirements before this cycle are discarded
  std::deque<activity::Cycle> blocks_;
  std::deque<std::pair<activity::Cycle, Culprit>> first_;  ///< the first of each cycle
  Charges cycles_, instructions_;
};

/// Records the counters of an event, and charges amounts without an instruction to the instruction for which the
/// program waits.
class WaitingRecorder : public Recorder {
 public:
  WaitingRecorder(unsigned counters, unsigned counter) : Recorder(counters), counter_(counter) {}
  /// Charges the amounts that can be assigned now.
  void settle(const Retirements& retirements);
  /// The instructions to which amounts without an instruction were charged.
  [[nodiscard]] const Charges& waited() const { return waited_; }

 protected:
  void unnamed(unsigned counter, pmu::Cycle from, pmu::Cycle to, std::uint64_t n) override;

 private:
  struct Stretch {
    pmu::Cycle from, to;
    std::uint64_t n;
  };
  unsigned counter_;
  std::vector<Stretch> open_;
  Charges waited_;
  std::uint64_t lost_ = 0;
};

}  // namespace pmusim::testbench
