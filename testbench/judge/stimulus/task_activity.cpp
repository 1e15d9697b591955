#include "testbench/judge/stimulus/task_activity.h"

#include "models/activity_file/writer.h"
#include "testbench/driver/activity_file_source.h"

namespace pmusim::testbench {

std::vector<std::unique_ptr<trace::Reader>> traces_of(const InputFile& first, const InputFile& second) {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(first.trace());
  if (!second.empty()) traces.push_back(second.trace());
  return traces;
}

ActivityLog record(const models::Target& target, const models::Parameters& parameters,
                   std::vector<std::unique_ptr<trace::Reader>> traces, Cycle block_cycles) {
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = block_cycles;
  Session session(target, parameters, options);
  ActivityLog log;
  session.add_observer([&](const Block& block) { log.append(block); });
  session.run(std::move(traces));
  return log;
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

namespace {

/// Keeps the activity of a run for the next one, if the task has a cache.
class ActivityKeeper {
 public:
  explicit ActivityKeeper(const Task& task) : cache_(task.cache) {
    if (cache_ == nullptr || task.recorded) return;
    attempt([&] { writer_ = cache_->put_activity(key_of(task, "activity"), task.target); });
  }
  void consume(const activity::Block& block) {
    if (writer_) attempt([&] { writer_->write(block); });
  }
  void close() {
    if (writer_) attempt([&] { writer_->close(); });
  }

 private:
  template <class Action>
  void attempt(const Action& action) {
    try {
      action();
    } catch (const trace::TraceError& error) {
      writer_.reset();
      cache_->fail(error.what());
    }
  }
  Cache* cache_;
  std::unique_ptr<activity_file::Writer> writer_;
};

}  // namespace

SessionResult run_activity(Session& session, const Task& task) {
  if (task.activity != nullptr) {
    LogSource source(*task.activity);
    return session.run(source);
  }
  if (const auto source = kept_activity(task)) return session.run(*source);
  ActivityKeeper keeper(task);
  session.add_observer([&](const activity::Block& block) { keeper.consume(block); });
  SessionResult ran = session.run(traces_of(task.trace, task.second_trace));
  keeper.close();
  return ran;
}

}  // namespace pmusim::testbench
