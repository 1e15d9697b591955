// The works whose times are compared. Each returns a digest of its result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "testbench/driver/activity_source.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// A target with all its counters programmed, on a trace. Each hardware thread runs the trace and has its own PMU.
struct Workload {
  /// Throws std::invalid_argument for a target without a counter setting here.
  Workload(std::string_view target, std::filesystem::path trace);

  /// Decode, core, PMU; reads the registers at the end.
  [[nodiscard]] std::uint64_t run(Engine engine) const;
  /// The same from memory, for a trace of one instruction: the fixed cost of a run.
  [[nodiscard]] std::uint64_t run_nothing() const;
  /// Runs only the PMU, on recorded activity.
  [[nodiscard]] std::uint64_t replay(const ActivityLog& log, Engine engine) const;
  [[nodiscard]] ActivityLog record() const;
  /// Decodes every instruction of the trace with its class and its accesses.
  [[nodiscard]] std::uint64_t decode() const;
  [[nodiscard]] std::uint64_t instructions() const;

 private:
  [[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> readers() const;
  void program(Session& session) const;
  [[nodiscard]] std::uint64_t run(std::vector<std::unique_ptr<trace::Reader>> readers, Engine engine) const;

  const models::Target* target_;
  std::filesystem::path trace_;
};

// Measures the processor time of works to be compared, each in a new process: SystemC allows one simulation per
// process, and no earlier run has warmed caches or filled the heap.

using Work = std::function<std::uint64_t()>;

struct Measurement {
  double seconds = 0;          ///< processor time of a single run of the work, the minimum of all rounds
  std::uint64_t digest = 0;    ///< the work's result, the same each time
  std::vector<double> rounds;  ///< processor time of a single run of the work, for each round
};

/// Runs the works `rounds` times. In a round all of them run at the same time on one processor, the shorter ones
/// repeatedly so that all take equally long: a temporary slowdown of the machine affects all of them alike. Throws if a
/// process fails or the digests of one work differ.
[[nodiscard]] std::vector<Measurement> measure(const std::vector<Work>& works, int rounds);

/// Time of the first divided by that of the second, both without `start`: the median of the rounds' ratios.
[[nodiscard]] double ratio(const Measurement& first, const Measurement& second, double start = 0);

}  // namespace pmusim::testbench
