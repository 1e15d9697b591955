// A trial runs one group of a plan on its PMU: it programs the PMU, passes it the activity, and judges the result.
// Counts are compared with the oracle's, captures with its lists, interrupts with its overflows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/trial/expectations.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/judge/trial/trace_counts.h"
#include "testbench/judge/verdict/scribe.h"

namespace pmusim::testbench {

class CaptureWatch;
class InterruptTrials;

/// State that the trials of a run share.
struct TrialRun {
  TrialRun(const Task& task, const models::Target& target, const Expectations& expectations);
  ~TrialRun();
  /// A PMU of the thread in its reset state.
  [[nodiscard]] std::unique_ptr<pmu::Monitor> fresh(unsigned thread);

  const Task& task;
  const models::Target& target;
  const Expectations& expectations;
  std::vector<TraceCounts> from_trace = {};  ///< counts implied by the instructions alone, by thread; empty if unknown
  std::unique_ptr<InterruptTrials> interrupts;  ///< null: no group is sampled
  std::vector<CaptureWatch*> captures = {};     ///< those that need the replay

 private:
  std::map<unsigned, std::unique_ptr<pmu::Monitor>> fresh_;
};

class Trial {
 public:
  virtual ~Trial() = default;
  /// The setup that programs its PMU. The trial must outlive the run.
  [[nodiscard]] virtual MonitorSetup setup() = 0;
  /// Call after the last block, with the final state of the PMU.
  virtual void finish(const MonitorResult& result, Scribe& scribe) = 0;
};

/// The trial of a group whose answer has registers. `first_check`: the number of the group's first check.
[[nodiscard]] std::unique_ptr<Trial> make_trial(TrialRun& run, std::size_t group, std::size_t first_check);
/// Passes a block, already counted by the oracle, to the trials that judge during the run.
void observe(TrialRun& run, const Block& block);
/// After the run: replays its activity to trials of captures, now that the freezes of each PMU are known, and reads the
/// counts implied by the instructions of the traces.
void observe_again(TrialRun& run);

// Judges counter interrupts and profiled instructions, for a target whose plan has groups with `sampled`.

/// The sampled groups of a plan, by their numbers.
class InterruptTrials {
 public:
  /// Cycles in which the expected count of a check reached Sampled::grain() or a multiple of it.
  using Overflows = std::function<const std::vector<Cycle>&(std::size_t check)>;
  /// The result of a group: the number of samples judged, and the compared counts.
  struct Outcome {
    std::uint64_t samples = 0;
    std::uint64_t counted = 0;  ///< interrupts, or the value of the statistic
    std::uint64_t expected = 0;
    std::vector<std::string> problems;
    std::uint64_t untaken = 0;  ///< requests of a counter without a separate interrupt
  };
  virtual ~InterruptTrials() = default;
  /// The setup that programs the monitor of a group with `sampled`. The group's only check has this number.
  [[nodiscard]] virtual MonitorSetup add(std::size_t group_number, std::size_t check, const Group& group,
                                         const Answer& answer) = 0;
  /// Call before the monitors consume the block and after the oracle has counted it.
  virtual void consume(const Block& block, const Overflows& overflows) = 0;
  [[nodiscard]] virtual Outcome finish(std::size_t group_number, const MonitorResult& result) = 0;
};

}  // namespace pmusim::testbench
