#include "testbench/judge/trial/expectations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>

#include "testbench/judge/stimulus/task_activity.h"

namespace pmusim::testbench {

models::Parameters parameters_of(const Task& task, unsigned thread) {
  models::Parameters parameters = task.parameters;
  if (!task.second_trace.empty()) parameters.set("pmu.thread", std::int64_t{thread});
  return parameters;
}

Expectations::Expectations(const Task& task, const std::vector<Further>& further) {
  struct Watched {
    std::size_t check;
    Pass pass;
    std::size_t request;
  };
  std::map<Pass, std::vector<oracle::Request>> by_event;
  std::vector<Watched> places;
  std::size_t number = 0;
  for (const Group& group : task.plan) {
    for (const Check& check : group.checks) {
      ++number;
      if (group.captures || profiles(group)) continue;  // counted by a separate list
      const Pass pass{group.thread, oracle::pass_of(task.target, check.request.event)};
      auto& requests = by_event[pass];
      places.push_back({number - 1, pass, requests.size()});
      requests.push_back(check.request);
    }
  }
  for (const Further& more : further) {
    const Pass pass{more.thread, oracle::pass_of(task.target, more.request.event)};
    auto& requests = by_event[pass];
    places.push_back({number++, pass, requests.size()});
    requests.push_back(more.request);
  }
  list_.resize(number);
  std::map<Pass, oracle::Counter*> counters;
  std::map<unsigned, std::shared_ptr<const models::Parameters>> parameters_of_thread;
  for (const auto& [pass, requests] : by_event) {
    std::shared_ptr<const models::Parameters>& parameters = parameters_of_thread[pass.first];
    if (parameters == nullptr) parameters = std::make_shared<models::Parameters>(parameters_of(task, pass.first));
    const auto lookup = [known = parameters](std::string_view name) { return known->get(name); };
    counters_.push_back(task.make_counter ? task.make_counter(requests, lookup)
                                          : oracle::make_counter(task.target, requests, lookup));
    counters[pass] = counters_.back().get();
  }
  for (const Watched& place : places) list_[place.check] = {counters.at(place.pass), place.request};
  watch_sampled(task);
}

void Expectations::watch_sampled(const Task& task) {
  std::size_t number = 0;
  for (const Group& group : task.plan) {
    if (group.sampled && !profiles(group)) {
      list_[number].counter->watch(list_[number].request, group.sampled->grain(), group.sampled->grain());
    }
    number += group.checks.size();
  }
}

namespace {

/// True if every event of the group is requested without attributes, filters and periods.
bool is_plain(const Group& group) {
  return !group.samples() && group.period == 0 && words_of(group.filters).empty() &&
         std::all_of(group.checks.begin(), group.checks.end(),
                     [](const Check& check) { return check.attributes.empty() && check.raw.empty(); });
}

/// True if the check may count although its event does not occur: it counts other events, or cycles without its own.
bool counts_without_event(const Check& check) {
  return check.holds || !check.raw.empty() || check.request.invert || !check.request.ia64.armed.empty();
}

/// Orders checks by their rows. A plan has ten thousands, so their names are not put together.
struct ByRow {
  bool operator()(const Check* a, const Check* b) const {
    return std::tie(a->request.event, a->request.umasks) < std::tie(b->request.event, b->request.umasks);
  }
};
/// A check of each row, in a plan.
using Rows = std::set<const Check*, ByRow>;

/// A plain check of each row of the groups that a set of several events in the plan contains.
Rows plain_checks(const AnsweredPlan& plan, const std::vector<std::size_t>& groups) {
  Rows rows, plain;
  for (const std::size_t g : groups) {
    for (const Check& check : plan[g]->group.checks) rows.insert(&check);
  }
  for (const auto& asked : plan) {
    const Group& group = asked->group;
    if (group.checks.size() < 2 || !is_plain(group)) continue;
    for (const Check& check : group.checks) {
      if (rows.contains(&check)) plain.insert(&check);
    }
  }
  return plain;
}

/// The rows of `plain` whose events do not occur on the task's traces.
Rows idle_rows(const Task& task, const Rows& plain) {
  constexpr unsigned every_level = 15;
  Task counting = task;
  counting.plan = {};
  for (const Check* const check : plain) {
    counting.plan.push_back(Group{.checks = {*check}});
    counting.plan.back().checks.front().request.ia64.levels = every_level;
  }
  Expectations expectations(counting, {});
  SessionOptions options;
  options.silence = silence_of_validation;
  options.engine = Engine::direct;
  Session session(task.model != nullptr ? *task.model : *models::find_target(task.target), task.parameters, options);
  session.add_observer([&](const activity::Block& block) { expectations.consume(block); });
  run_activity(session, counting);
  Rows idle;
  std::size_t number = 0;
  for (const Check* const check : plain) {
    if (expectations.tally(number++).occurrences == 0) idle.insert(check);
  }
  return idle;
}

}  // namespace

std::vector<std::size_t> without_idle_groups(const Task& task, const AnsweredPlan& plan,
                                             const std::vector<std::size_t>& groups) {
  const Rows plain = plain_checks(plan, groups);
  if (plain.empty()) return groups;
  const Rows idle = idle_rows(task, plain);
  const auto is_idle = [&](std::size_t g) {
    const Group& group = plan[g]->group;
    if (plan[g]->answer.status != Answer::Status::encoded || group.captures || profiles(group)) return false;
    if (group.checks.size() > 1 && is_plain(group)) return false;
    return std::all_of(group.checks.begin(), group.checks.end(),
                       [&](const Check& check) { return idle.contains(&check) && !counts_without_event(check); });
  };
  std::vector<std::size_t> kept;
  std::remove_copy_if(groups.begin(), groups.end(), std::back_inserter(kept), is_idle);
  return kept;
}

}  // namespace pmusim::testbench
