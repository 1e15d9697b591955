// Whom a cycle belongs to: the instruction that the program waits for, which is the first that retires in the cycle or
// after it. So every cycle of a run has an instruction, and those of stalls have the one that was late.
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

/// The retirements of a hardware thread's program. Wrong paths and handlers have none.
class Retirements {
 public:
  explicit Retirements(unsigned thread) : thread_(thread) {}
  /// The block before must be over.
  void consume(const activity::Block& block);
  /// Charges `n` in each cycle of [from, to) as far as it is known who retires then. Returns where the rest begins;
  /// what is too long ago is added to `lost`.
  activity::Cycle charge(activity::Cycle from, activity::Cycle to, std::uint64_t n, Charges& charges,
                         std::uint64_t& lost) const;
  [[nodiscard]] const Charges& cycles() const { return cycles_; }
  [[nodiscard]] const Charges& instructions() const { return instructions_; }
  /// Cycles in which and after which nothing retires.
  [[nodiscard]] std::uint64_t rest() const { return end_ - next_; }

 private:
  unsigned thread_;
  bool begun_ = false;
  activity::Cycle next_ = 0;  ///< after the last cycle in which something retires
  activity::Cycle end_ = 0;
  activity::Cycle known_ = 0;  ///< before it retirements are forgotten
  std::deque<activity::Cycle> blocks_;
  std::deque<std::pair<activity::Cycle, Culprit>> first_;  ///< the first of each cycle
  Charges cycles_, instructions_;
};

/// Records an event's counters, and charges what names no instruction to the one that the program waits for.
class WaitingRecorder : public Recorder {
 public:
  WaitingRecorder(unsigned counters, unsigned counter) : Recorder(counters), counter_(counter) {}
  /// Charges what is known by now.
  void settle(const Retirements& retirements);
  /// The instructions to which cycles were charged that name none.
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
