// Runs independent jobs in child processes: SystemC allows one simulation per process, and a crash affects one job
// only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace pmusim::testbench {

/// The jobs [0, count).
struct Jobs {
  std::size_t count = 0;
  std::function<std::string(std::size_t)> work;  ///< runs in a process of its own
  std::function<std::string(std::size_t)> name;  ///< for errors
  /// The result if it is known without work; none: `work` must be done. Runs in a worker, which keeps what it computed
  /// from one job to the next.
  std::function<std::optional<std::string>(std::size_t)> known = {};
};

/// Runs the jobs in up to `parallel` workers at a time. `done(i, result)` gets the results in this process, in the
/// order in which jobs finish. Throws UsageError when a job dies or throws; its message names the job.
void run_jobs(const Jobs& jobs, unsigned parallel, const std::function<void(std::size_t, const std::string&)>& done);

/// If set, called whenever a signal arrives while jobs run. An exception from it ends the jobs.
std::function<void()>& signal_hook();

}  // namespace pmusim::testbench
