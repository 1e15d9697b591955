#include "testbench/judge/trial/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "testbench/driver/firmware.h"
#include "testbench/judge/stimulus/task_activity.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/judge/trial/expectations.h"
#include "testbench/judge/trial/identities.h"
#include "testbench/judge/trial/trials.h"
#include "testbench/judge/verdict/scribe.h"

namespace pmusim::testbench {
namespace {

/// A job lists up to this many mismatches, and the first one of each part and row; further ones are only counted.
constexpr std::size_t listed_mismatches = 50;
/// Mismatches that a part may list at least. In a plan of many parts the limit is lower, so that at most
/// `most_diagnosed` are diagnosed.
constexpr std::size_t listed_of_part = 3, most_diagnosed = 1500;

/// Number of PMUs of a run that are SystemC modules with their registers on a bus. The others are the same model,
/// called directly: on a short trace a module costs more than its counting.
constexpr std::size_t modules_of_run = 8;

/// True if the PMU of a group is a SystemC module. The choice differs from trace to trace.
bool is_module(const Task& task, std::size_t group) {
  const std::size_t every = std::max<std::size_t>(1, task.plan.size() / modules_of_run);
  return group % every == turn_of(task.trace) % every;
}

/// The identities of a task, for each thread that runs, with the counts that they need.
class IdentityWatch {
 public:
  explicit IdentityWatch(const Task& task) {
    if (!task.identities) return;
    for (unsigned thread = 0; thread < (task.second_trace.empty() ? 1 : 2); ++thread) {
      checks_.emplace_back(task.target, task.only, parameters_of(task, thread));
      for (const oracle::Request& request : checks_.back().requests()) further_.push_back({thread, request});
    }
  }
  [[nodiscard]] const std::vector<Further>& further() const { return further_; }
  /// `first` is the index of the first further request.
  /// `from_trace` has the counts of the instructions of each thread, if they are known.
  void judge(const Expectations& expectations, const std::vector<TraceCounts>& from_trace, std::size_t first,
             JobVerdict& verdict) const {
    for (std::size_t thread = 0; thread < checks_.size(); ++thread) {
      const IdentityChecks& checks = checks_[thread];
      std::vector<oracle::Tally> tallies;
      for (std::size_t i = 0; i < checks.requests().size(); ++i) tallies.push_back(expectations.tally(first++));
      const TraceCounts* const counts = from_trace.empty() ? nullptr : &from_trace.at(thread);
      for (IdentityVerdict& one : checks.check(tallies, counts, verdict.trace))
        verdict.identities.push_back(std::move(one));
    }
  }

 private:
  std::vector<IdentityChecks> checks_;
  std::vector<Further> further_;
};

/// Collects the verdicts of the groups.
struct Places {
  std::vector<JobVerdict>& parts;
  std::size_t identities;            ///< the part with their verdicts, if the identities are checked
  std::size_t listed;                ///< mismatches of each part
  std::vector<std::size_t> part_of;  ///< by group
  [[nodiscard]] JobVerdict& of(std::size_t group) const { return parts[part_of[group]]; }
};

/// Runs the traces for all groups of the task.
void judge_groups(const Task& task, const Places& places) {
  const models::Target& target = task.model != nullptr ? *task.model : *models::find_target(task.target);
  const IdentityWatch identities(task);
  Expectations expectations(task, identities.further());
  SessionOptions options;
  options.silence = silence_of_validation;
  options.keep_monitors = find_firmware(target.name) != nullptr;
  if (task.activity != nullptr) options.engine = Engine::direct;
  Session session(target, task.parameters, options);
  TrialRun run(task, target, expectations);
  session.add_observer([&](const activity::Block& block) {
    expectations.consume(block);
    observe(run, block);
  });

  std::vector<std::unique_ptr<Trial>> trials;  ///< by group; null if the answer has no registers
  std::vector<std::size_t> monitors;           ///< of the trials
  std::size_t checks = 0;
  for (std::size_t g = 0; g < task.plan.size(); checks += task.plan[g++].checks.size()) {
    trials.push_back(task.answers[g].status == Answer::Status::encoded ? make_trial(run, g, checks) : nullptr);
    monitors.push_back(0);
    if (trials.back() == nullptr) continue;
    MonitorSetup setup = trials.back()->setup();
    if (!task.second_trace.empty()) setup.thread = task.plan[g].thread;
    setup.called = !is_module(task, g);
    monitors.back() = session.add_monitor(std::move(setup));
  }

  const SessionResult result = run_activity(session, task);
  observe_again(run);
  for (std::size_t g = 0; g < task.plan.size(); ++g) {
    JobVerdict& verdict = places.of(g);
    Scribe scribe(task, verdict, places.listed, task.plan[g], task.answers[g]);
    if (trials[g] == nullptr) {
      scribe.refused();
      continue;
    }
    scribe.encoded();
    const MonitorResult& monitor = result.monitors[monitors[g]];
    verdict.not_modelled.insert(verdict.not_modelled.end(), monitor.not_modelled.begin(), monitor.not_modelled.end());
    trials[g]->finish(monitor, scribe);
  }
  if (task.identities) identities.judge(expectations, run.from_trace, checks, places.parts[places.identities]);
}

/// The parts of a task: those of its plan, and the identities as one more.
class TaskParts final : public JobOfParts {
 public:
  TaskParts(Task task, const AnsweredPlan& plan)
      : task_(std::move(task)),
        plan_(plan),
        parts_(parts_of(groups_of(plan))),
        listed_(
            std::clamp(most_diagnosed / std::max<std::size_t>(1, parts_.size()), listed_of_part, listed_mismatches)) {
    verdict_.job = task_.job;
    verdict_.target = task_.target;
    verdict_.trace = task_.trace.path().filename().string();
    if (!task_.second_trace.empty()) verdict_.trace += '+' + task_.second_trace.path().filename().string();
    verdict_.provenance = task_.provenance;
  }

 private:
  [[nodiscard]] std::size_t parts() const override { return parts_.size() + (task_.identities ? 1 : 0); }
  [[nodiscard]] KeptVerdicts open_kept() const override {
    if (task_.cache == nullptr) return {};
    return {*task_.cache, key_of(task_, "verdicts"), task_.reproduce};
  }
  [[nodiscard]] JobVerdict joined(const std::vector<JobVerdict>& verdicts) const override {
    return join(verdict_, verdicts, {listed_mismatches});
  }
  [[nodiscard]] bool is_identities(std::size_t part) const { return part == parts_.size(); }
  [[nodiscard]] std::string identity(std::size_t part) const override {
    if (is_identities(part)) return fmt::format("identities {} {}\n", verdict_.trace, task_.only);
    std::string text = fmt::format("{} {} {}\n", listed_, task_.whole ? "whole" : "not idle", verdict_.trace);
    for (const std::size_t g : parts_[part].groups) text += plan_[g]->digest;
    return text;
  }
  [[nodiscard]] bool answered(std::size_t part) const override {
    return is_identities(part) ||
           std::all_of(parts_[part].groups.begin(), parts_[part].groups.end(),
                       [&](std::size_t g) { return plan_[g]->answer.status != Answer::Status::missing; });
  }
  void judge(const std::vector<std::size_t>& missing, std::vector<JobVerdict>& verdicts) const override {
    Task rest = task_;
    rest.identities = false;
    std::vector<std::size_t> chosen, part_of(plan_.size());
    for (const std::size_t part : missing) {
      verdicts[part].trace = verdict_.trace;
      if (is_identities(part)) {
        rest.identities = true;
        continue;
      }
      for (const std::size_t g : parts_[part].groups) {
        chosen.push_back(g);
        part_of[g] = part;
      }
    }
    if (!rest.whole) chosen = without_idle_groups(rest, plan_, chosen);
    Places places{verdicts, parts_.size(), listed_, {}};
    rest.plan.clear();
    rest.answers.clear();
    for (const std::size_t g : chosen) {
      rest.plan.push_back(plan_[g]->group);
      rest.answers.push_back(plan_[g]->answer);
      places.part_of.push_back(part_of[g]);
    }
    judge_groups(rest, places);
  }

  const Task task_;
  const AnsweredPlan& plan_;
  std::vector<Part> parts_;
  std::size_t listed_;  ///< mismatches of each part
  JobVerdict verdict_;
};

}  // namespace

std::unique_ptr<JobOfParts> job_of(Task task, const AnsweredPlan& plan) {
  return std::make_unique<TaskParts>(std::move(task), plan);
}

JobVerdict judge(Task task) {
  const AnsweredPlan plan = answered_plan(std::exchange(task.plan, {}), std::exchange(task.answers, {}));
  return job_of(std::move(task), plan)->judged();
}

}  // namespace pmusim::testbench
