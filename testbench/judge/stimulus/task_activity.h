// The activity of a task: from its traces, from a recording, or from the cache, where the activity of traces is kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity_file/writer.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/session.h"
#include "testbench/judge/trial/judge.h"

namespace pmusim::testbench {

/// The traces of a task's threads.
[[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> traces_of(const Task& task);

/// The key under which the cache keeps something about a task.
[[nodiscard]] CacheKey key_of(const Task& task, std::string_view kind);

/// The activity of the task's traces if it is recorded or cached; null otherwise.
[[nodiscard]] std::unique_ptr<ActivitySource> kept_activity(const Task& task);

/// Keeps the activity of a run for the next one, if the task has a cache.
class ActivityKeeper {
 public:
  explicit ActivityKeeper(const Task& task);
  void consume(const activity::Block& block);
  void close();

 private:
  template <class Action>
  void attempt(const Action& action);
  Cache* cache_;
  std::unique_ptr<activity_file::Writer> writer_;
};

/// Runs the activity of a task in a session: given, kept, or made from the traces and then kept for the next run.
SessionResult run_activity(Session& session, const Task& task);

}  // namespace pmusim::testbench
