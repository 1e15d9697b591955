// A trial is one group of a plan on its PMU: what programs the PMU, what it sees of the activity, and what comes of it.
// Counts are compared with the oracle's, captures with its lists, interrupts with its overflows.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/validate/expectations.h"
#include "testbench/validate/judge.h"
#include "testbench/validate/scribe.h"
#include "testbench/validate/trace_counts.h"

namespace pmusim::testbench {

class CaptureWatch;
class InterruptTrials;

/// What the trials of a run share.
struct TrialRun {
  TrialRun(const Task& task, const models::Target& target, const Expectations& expectations);
  ~TrialRun();
  /// A PMU of the thread's that nothing has been written to.
  [[nodiscard]] std::unique_ptr<pmu::Monitor> fresh(unsigned thread);

  const Task& task;
  const models::Target& target;
  const Expectations& expectations;
  std::vector<TraceCounts> told = {};           ///< what instructions alone say, by thread; empty: nothing
  std::unique_ptr<InterruptTrials> interrupts;  ///< null: no group is sampled
  std::vector<CaptureWatch*> captures = {};     ///< those that see the activity once more

 private:
  std::map<unsigned, std::unique_ptr<pmu::Monitor>> fresh_;
};

class Trial {
 public:
  virtual ~Trial() = default;
  /// What programs its PMU; the trial has to outlive the run.
  [[nodiscard]] virtual MonitorSetup setup() = 0;
  /// After the last block, with what the PMU was left with.
  virtual void finish(const MonitorResult& result, Scribe& scribe) = 0;
};

/// The trial of a group whose answer has registers. `first_check`: the number of the group's first check.
[[nodiscard]] std::unique_ptr<Trial> make_trial(TrialRun& run, std::size_t group, std::size_t first_check);
/// Shows a block, which the oracle has counted, to the trials that judge as they go.
void observe(TrialRun& run, const Block& block);
/// After the run: shows its activity again to trials of captures, now that it is known when each PMU was frozen, and
/// reads what the traces' instructions say.
void observe_again(TrialRun& run);

}  // namespace pmusim::testbench
