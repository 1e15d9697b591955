// Runs independent jobs in child processes: SystemC allows one simulation per process, and a crash affects one job
// only.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace pmusim::testbench {

/// Runs `work(i)` for i in [0, count) in up to `parallel` child processes at a time; `work` returns one line.
/// `done(i, line)` gets the lines in this process, in the order in which jobs finish. Throws UsageError when a
/// job dies or throws; its message names the job by `name(i)`.
void run_jobs(std::size_t count, unsigned parallel, const std::function<std::string(std::size_t)>& work,
              const std::function<void(std::size_t, const std::string&)>& done,
              const std::function<std::string(std::size_t)>& name);

/// If set, called whenever a signal arrives while jobs run. An exception from it ends the jobs.
std::function<void()>& signal_hook();

}  // namespace pmusim::testbench
