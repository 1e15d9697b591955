#include "testbench/targets/alpha/judging_watches.h"

#include <algorithm>

namespace pmusim::testbench {
namespace {

/// A parameter of the 21264A; 0 for other chips, which do not profile.
std::int64_t parameter(const models::Parameters& parameters, std::string_view name) {
  return parameters.has(name) ? parameters.get(name) : 0;
}

}  // namespace

AlphaWatches::AlphaWatches(const Task& task, const models::Target& target)
    : task_(task),
      target_(target),
      lives_(static_cast<Cycle>(parameter(task.parameters, "pmu.overcount_cycles")),
             parameter(task.parameters, "pmu.retiring_traps") != 0,
             parameter(task.parameters, "pmu.squashed_aborts") != 0) {}

MonitorSetup AlphaWatches::add(std::size_t group_number, std::size_t check, const Group& group, const Answer& answer) {
  if (group.sampled->by == Sampled::By::profile_me) {
    auto& watch = profiles_[group_number];
    watch = std::make_unique<ProfileWatch>(task_, target_, group, answer, lives_);
    return watch->setup();
  }
  Interrupts& interrupts = interrupts_[group_number];
  interrupts.check = check;
  interrupts.watch = std::make_unique<InterruptWatch>(task_, target_, group, answer);
  return interrupts.watch->setup();
}

void AlphaWatches::consume(const Block& block, const Overflows& overflows) {
  for (auto& [group, interrupts] : interrupts_) interrupts.watch->consume(block, overflows(interrupts.check));
  if (profiles_.empty()) return;
  Cycle needed = activity::never;
  for (auto& [group, watch] : profiles_) needed = std::min(needed, watch->judge_samples(block.begin));
  lives_.forget(needed);
  lives_.consume(block);
}

AlphaWatches::Outcome AlphaWatches::finish(std::size_t group_number, const MonitorResult& result) {
  if (const auto profile = profiles_.find(group_number); profile != profiles_.end()) {
    ProfileWatch& watch = *profile->second;
    watch.finish(result);
    return {watch.samples(), watch.counted(), watch.statistic(), watch.problems()};
  }
  InterruptWatch& watch = *interrupts_.at(group_number).watch;
  watch.finish();
  return {watch.samples(), watch.samples(), watch.expected(), watch.problems(), watch.untaken(), watch.range()};
}

}  // namespace pmusim::testbench
