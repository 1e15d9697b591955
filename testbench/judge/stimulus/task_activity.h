// The activity of a task: from its traces, from a recording, or from the cache, where the activity of traces is kept.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/session.h"
#include "testbench/judge/trial/judge.h"

namespace pmusim::testbench {

/// The readers of a trace, and of one that runs on the other hardware thread; `second` may be empty.
[[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> traces_of(const InputFile& first, const InputFile& second);
/// Runs a core on traces, without a PMU, and records its activity.
[[nodiscard]] ActivityLog record(const models::Target& target, const models::Parameters& parameters,
                                 std::vector<std::unique_ptr<trace::Reader>> traces, Cycle block_cycles = 1024);

/// The key under which the cache keeps something about a task.
[[nodiscard]] CacheKey key_of(const Task& task, std::string_view kind);

/// The activity of the task's traces if it is recorded or cached; null otherwise.
[[nodiscard]] std::unique_ptr<ActivitySource> kept_activity(const Task& task);

/// Runs the activity of a task in a session: given, kept, or made from the traces and then kept for the next run.
SessionResult run_activity(Session& session, const Task& task);

}  // namespace pmusim::testbench
