#include "testbench/cli/recordings.h"

#include <fmt/format.h>

#include <set>

#include "testbench/cli/activity_files.h"
#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

TraceInput recording_of(const std::string& file, const std::string& wanted) {
  (void)activity_file::Reader(file);  // what is no activity is not read into memory
  TraceInput recording{std::filesystem::path(file), Provenance::directive};
  recording.recorded = true;
  const auto reader = recording.file.activity();
  recording.file.forget();
  const models::Target& target = target_of(*reader, wanted);
  recording.target = target.name;
  if (threads_of(*reader, target) > 1) recording.second = recording.file;
  return recording;
}

}  // namespace

std::vector<TraceInput> recordings_of(const Arguments& arguments) {
  std::vector<TraceInput> recordings;
  const std::string wanted = arguments.get<std::string>("target");
  for (const std::string& file : arguments.list("activity")) {
    for (const char* option : {"trace", "second"}) {
      if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --activity", option));
    }
    recordings.push_back(recording_of(file, wanted == "all" ? "" : wanted));
  }
  for (const std::string& setting : arguments.list("set")) {
    if (!recordings.empty() && !setting.starts_with("pmu."))
      throw UsageError(
          fmt::format("--set {}: the core has already run; with --activity only PMU parameters can be set", setting));
  }
  return recordings;
}

std::vector<std::string> recorded_targets(const std::vector<TraceInput>& recordings) {
  std::set<std::string> targets;
  for (const TraceInput& recording : recordings) targets.insert(recording.target);
  return {targets.begin(), targets.end()};
}

}  // namespace pmusim::testbench
