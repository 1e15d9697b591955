#include "testbench/judge/trial/idle_groups.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "testbench/judge/stimulus/task_activity.h"
#include "testbench/judge/trial/expectations.h"

namespace pmusim::testbench {
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

/// A plain check of each row of the groups that a set of several events in the plan contains.
std::map<std::string, Check> plain_checks(const AnsweredPlan& plan, const std::vector<std::size_t>& groups) {
  std::set<std::string> rows;
  for (const std::size_t g : groups) {
    for (const Check& check : plan[g]->group.checks) rows.insert(row_name(check.request));
  }
  std::map<std::string, Check> plain;
  for (const auto& asked : plan) {
    const Group& group = asked->group;
    if (group.checks.size() < 2 || !is_plain(group)) continue;
    for (const Check& check : group.checks) {
      if (const std::string row = row_name(check.request); rows.contains(row)) plain.emplace(row, check);
    }
  }
  return plain;
}

/// The rows of `plain` whose events do not occur on the task's traces.
std::set<std::string> idle_rows(const Task& task, const std::map<std::string, Check>& plain) {
  constexpr unsigned every_level = 15;
  Task counting = task;
  counting.plan = {};
  for (const auto& [row, check] : plain) {
    counting.plan.push_back(Group{.checks = {check}});
    counting.plan.back().checks.front().request.ia64.levels = every_level;
  }
  Expectations expectations(counting, {});
  SessionOptions options;
  options.silence = silence_of_validation;
  options.engine = Engine::direct;
  Session session(task.model != nullptr ? *task.model : *models::find_target(task.target), task.parameters, options);
  session.add_observer([&](const activity::Block& block) { expectations.consume(block); });
  run_activity(session, counting);
  std::set<std::string> idle;
  std::size_t number = 0;
  for (const auto& [row, check] : plain) {
    if (expectations.tally(number++).occurrences == 0) idle.insert(row);
  }
  return idle;
}

}  // namespace

std::vector<std::size_t> without_idle_groups(const Task& task, const AnsweredPlan& plan,
                                             const std::vector<std::size_t>& groups) {
  const std::map<std::string, Check> plain = plain_checks(plan, groups);
  if (plain.empty()) return groups;
  const std::set<std::string> idle = idle_rows(task, plain);
  const auto is_idle = [&](std::size_t g) {
    const Group& group = plan[g]->group;
    if (plan[g]->answer.status != Answer::Status::encoded || group.captures || profiles(group)) return false;
    if (group.checks.size() > 1 && is_plain(group)) return false;
    return std::all_of(group.checks.begin(), group.checks.end(), [&](const Check& check) {
      return idle.contains(row_name(check.request)) && !counts_without_event(check);
    });
  };
  std::vector<std::size_t> kept;
  std::remove_copy_if(groups.begin(), groups.end(), std::back_inserter(kept), is_idle);
  return kept;
}

}  // namespace pmusim::testbench
