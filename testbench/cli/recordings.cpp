#include "testbench/cli/recordings.h"

#include <fmt/format.h>

#include <set>

#include "testbench/cli/activity_files.h"
#include "testbench/cli/command.h"

namespace pmusim::testbench {

std::vector<Stimulus> recordings_of(const Arguments& arguments) {
  std::vector<Stimulus> recordings;
  const std::string wanted = arguments.get<std::string>("target");
  for (const std::string& file : arguments.list("activity")) {
    for (const char* option : {"trace", "second"}) {
      if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --activity", option));
    }
    const activity_file::Reader reader(file);
    const models::Target& target = target_of(reader, wanted == "all" ? "" : wanted);
    recordings.push_back({file, Provenance::directive});
    recordings.back().recorded = true;
    if (threads_of(reader, target) > 1) recordings.back().second = file;
  }
  for (const std::string& setting : arguments.list("set")) {
    if (!recordings.empty() && !setting.starts_with("pmu."))
      throw UsageError(
          fmt::format("--set {}: the core has already run; with --activity only PMU parameters can be set", setting));
  }
  return recordings;
}

std::vector<std::string> recorded_targets(const std::vector<Stimulus>& recordings) {
  std::set<std::string> targets;
  for (const Stimulus& recording : recordings)
    targets.emplace(target_of(activity_file::Reader(recording.file), "").name);
  return {targets.begin(), targets.end()};
}

}  // namespace pmusim::testbench
