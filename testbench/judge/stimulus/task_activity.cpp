#include "testbench/judge/stimulus/task_activity.h"

#include "testbench/driver/activity_file_source.h"

namespace pmusim::testbench {

std::vector<std::unique_ptr<trace::Reader>> traces_of(const Task& task) {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(task.trace.trace());
  if (!task.second_trace.empty()) traces.push_back(task.second_trace.trace());
  return traces;
}

CacheKey key_of(const Task& task, std::string_view kind) {
  std::vector<InputFile> files{task.trace};
  if (!task.second_trace.empty()) files.push_back(task.second_trace);
  return task.cache->key(kind, task.target, task.parameters, files);
}

std::unique_ptr<ActivitySource> kept_activity(const Task& task) {
  if (task.recorded) return std::make_unique<ActivityFileSource>(task.trace.activity());
  if (task.cache == nullptr) return nullptr;
  auto kept = task.cache->find_activity(key_of(task, "activity"));
  if (kept == nullptr) return nullptr;
  return std::make_unique<ActivityFileSource>(std::move(kept), ActivityFileSource::Rules::known_to_be_kept);
}

template <class Action>
void ActivityKeeper::attempt(const Action& action) {
  try {
    action();
  } catch (const trace::TraceError& error) {
    writer_.reset();
    cache_->fail(error.what());
  }
}

ActivityKeeper::ActivityKeeper(const Task& task) : cache_(task.cache) {
  if (cache_ == nullptr || task.recorded) return;
  attempt([&] { writer_ = cache_->put_activity(key_of(task, "activity"), task.target); });
}

void ActivityKeeper::consume(const activity::Block& block) {
  if (writer_) attempt([&] { writer_->write(block); });
}

void ActivityKeeper::close() {
  if (writer_) attempt([&] { writer_->close(); });
}

SessionResult run_activity(Session& session, const Task& task) {
  if (task.activity != nullptr) {
    LogSource source(*task.activity);
    return session.run(source);
  }
  if (const auto source = kept_activity(task)) return session.run(*source);
  ActivityKeeper keeper(task);
  session.add_observer([&](const activity::Block& block) { keeper.consume(block); });
  SessionResult ran = session.run(traces_of(task));
  keeper.close();
  return ran;
}

}  // namespace pmusim::testbench
