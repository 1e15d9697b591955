#include "testbench/judge/question/broken_promises.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {
namespace {

/// NAME=VALUE as a user writes it.
std::string setting_of(const BrokenPromise& promise, const models::Parameters& parameters) {
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (info.name != promise.parameter) continue;
    for (const models::Choice& choice : info.choices) {
      if (choice.value == promise.value) return fmt::format("{}={}", info.name, choice.name);
    }
  }
  return fmt::format("{}={}", promise.parameter, promise.value);
}

std::set<std::string> rows_of(const std::vector<Group>& plan) {
  std::set<std::string> rows;
  for (const Group& group : plan) {
    for (const Check& check : group.checks) rows.insert(row_name(check.request));
  }
  return rows;
}

}  // namespace

LeftOut::LeftOut(const std::string& target, const models::Parameters& parameters) {
  for (const BrokenPromise& promise : judging_facts(target).broken_promises) {
    if (!parameters.has(promise.parameter) || parameters.get(promise.parameter) != promise.value) continue;
    broken_.push_back(&promise);
    reasons_ += fmt::format("{}{}: {}", reasons_.empty() ? "" : "; ", setting_of(promise, parameters), promise.reason);
  }
}

bool LeftOut::concerns(const Group& group, const Check& check) const {
  return std::any_of(broken_.begin(), broken_.end(), [&](const BrokenPromise* p) { return p->concerns(group, check); });
}

bool LeftOut::concerns(const Group& group) const {
  return std::any_of(group.checks.begin(), group.checks.end(),
                     [&](const Check& check) { return concerns(group, check); });
}

void LeftOut::remove_from(std::vector<Group>& plan) const {
  if (!any()) return;
  for (Group& group : plan) {
    if (!concerns(group)) continue;
    const bool as_a_whole = group.whole || group.captures || group.sampled || !words_of(group.filters).empty();
    std::vector<Check> kept;
    std::remove_copy_if(group.checks.begin(), group.checks.end(), std::back_inserter(kept),
                        [&](const Check& check) { return as_a_whole || concerns(group, check); });
    group.checks = std::move(kept);
  }
  std::erase_if(plan, [](const Group& group) { return group.checks.empty(); });
}

std::set<std::string> LeftOut::rows_lost(std::vector<Group> plan) const {
  std::set<std::string> before = rows_of(plan);
  remove_from(plan);
  for (const std::string& row : rows_of(plan)) before.erase(row);
  return before;
}

}  // namespace pmusim::testbench
