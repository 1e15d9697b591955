// Counts per interval of cycles, as perf stat -I shows them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/explain/explanation.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --interval and -I.
[[nodiscard]] Options interval_option();
/// Cycles of an interval; empty without the option. Throws UsageError for 0.
[[nodiscard]] std::optional<std::uint64_t> interval_of(const Arguments& arguments);

/// The amounts that a counter added; a last interval may be shorter. What a counter adds after the end, it adds in the
/// last one.
struct IntervalAmounts {
  std::vector<std::uint64_t> of;           ///< by interval, in events
  std::uint64_t start = 0;                 ///< the value that software wrote last
  std::uint64_t overwritten = 0;           ///< amount added before
  [[nodiscard]] std::string note() const;  ///< why they do not add up to the counter; empty if they do
};

/// The intervals of a run: divides what the counters of each PMU add into intervals that begin with the first counted
/// cycle.
class IntervalsOfRun {
 public:
  /// Without `cycles` it does nothing.
  IntervalsOfRun(const models::Target& target, const models::Parameters& parameters,
                 std::optional<std::uint64_t> cycles);
  ~IntervalsOfRun();
  /// Call for each PMU before it is added to the session.
  void watch(MonitorSetup& monitor);
  /// Call after all PMUs have been added.
  void observe(Session& session);
  /// At the end. `halves`: the counts are of half events. Throws UsageError for too many intervals and for counters
  /// that count nothing, and std::logic_error if the amounts do not add up to the counter.
  [[nodiscard]] IntervalAmounts amounts(const SessionResult& result, unsigned thread, const ExplainedCounter& counter,
                                        bool halves) const;

 private:
  class Divider;
  const models::Target& target_;
  const models::Parameters& parameters_;
  std::optional<std::uint64_t> cycles_;
  std::vector<std::unique_ptr<Divider>> probes_;
};

/// What a counter counted in each interval.
struct IntervalCounts {
  unsigned thread = 0;
  std::string event, counter;
  std::vector<std::uint64_t> counts;
};
/// In the order of perf stat -I: by time, then by counter. `all_cycles`: of the run.
[[nodiscard]] Table interval_table(const std::vector<IntervalCounts>& counters, std::uint64_t cycles,
                                   std::uint64_t all_cycles);
/// Prints a line of bars for each counter.
void print_bars(const std::vector<IntervalCounts>& counters, std::uint64_t cycles);

}  // namespace pmusim::testbench
