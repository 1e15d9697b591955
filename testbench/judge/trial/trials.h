// A trial runs one group of a plan on its PMU: it programs the PMU, passes it the activity, and judges the result.
// Counts are compared with the oracle's, captures with its lists, interrupts with its overflows.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/session.h"
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
  std::vector<TraceCounts> told = {};  ///< counts implied by the instructions alone, by thread; empty if unknown
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

}  // namespace pmusim::testbench
