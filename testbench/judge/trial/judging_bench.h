// Judges a plan on recorded activity any number of times, each time with one part replaced: the encoder's answers, the
// PMU model, or the oracle. Faults, parameters and questions use it. Plan and comparison are those of `pmusim
// validate`.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/judge/trial/judge.h"

namespace pmusim::testbench {

/// The replaced parts; an empty one is not replaced.
struct Exchange {
  std::function<Answer(const Group&)> encode = {};  ///< the encoder
  std::unique_ptr<pmu::Monitor> (*make_monitor)(const models::Parameters&) = nullptr;
  decltype(Task::make_counter) make_counter = {};  ///< the oracle
};

/// A trace, or one for each of two threads, and the recorded activity of a core on it. The log must outlive it.
struct Recording {
  std::filesystem::path trace, second = {};
  const ActivityLog* log = nullptr;
};

class JudgingBench {
 public:
  /// Throws std::invalid_argument for an unknown target.
  JudgingBench(const std::string& target, models::Parameters parameters);

  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] const models::Target& model() const { return *model_; }
  [[nodiscard]] models::Parameters& parameters() { return parameters_; }
  /// Runs the core on a trace, or on one for each of two threads.
  [[nodiscard]] ActivityLog record(const InputFile& trace, const InputFile& second = {}) const;
  [[nodiscard]] JobVerdict judge(const Recording& recording, std::vector<Group> plan,
                                 const Exchange& exchange = {}) const;

 private:
  std::string target_;
  const models::Target* model_;
  models::Parameters parameters_;
};

}  // namespace pmusim::testbench
