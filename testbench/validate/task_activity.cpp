#include "testbench/validate/task_activity.h"

#include "models/activity_file/reader.h"
#include "testbench/driver/activity_file_source.h"

namespace pmusim::testbench {

std::vector<std::unique_ptr<trace::Reader>> traces_of(const Task& task) {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(trace::open(task.trace));
  if (!task.second_trace.empty()) traces.push_back(trace::open(task.second_trace));
  return traces;
}

std::string name_of(const Task& task, std::string_view kind) {
  std::vector<std::filesystem::path> files{task.recorded.empty() ? task.trace : task.recorded};
  if (!task.second_trace.empty()) files.push_back(task.second_trace);
  return task.cache->name(kind, task.target, task.parameters, files);
}

std::unique_ptr<ActivitySource> kept_activity(const Task& task) {
  if (!task.recorded.empty())
    return std::make_unique<ActivityFileSource>(std::make_unique<activity_file::Reader>(task.recorded));
  if (task.cache == nullptr) return nullptr;
  const std::string name = name_of(task, "activity");
  const std::filesystem::path file = task.cache->path(name);
  if (!task.cache->holds(name)) return nullptr;
  if (!activity_file::is_whole(file)) {
    task.cache->remove(name);
    return nullptr;
  }
  task.cache->touch(name);
  return std::make_unique<ActivityFileSource>(std::make_unique<activity_file::Reader>(file),
                                              ActivityFileSource::Rules::known_to_be_kept);
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
  if (cache_ == nullptr || !cache_->problem().empty() || !task.recorded.empty()) return;
  attempt([&] {
    activity_file::Properties properties;
    properties.set("target", task.target);
    constexpr int fast = 1;
    writer_ = std::make_unique<activity_file::Writer>(cache_->path(name_of(task, "activity")), properties, fast);
  });
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
