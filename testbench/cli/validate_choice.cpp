#include "testbench/cli/validate_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "models/common/parameters.h"
#include "testbench/cli/command.h"
#include "testbench/cli/event_pages.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/support/only.h"

namespace pmusim::testbench {

std::vector<Group> plan_of(const std::string& target, const TraceInput& stimulus, const Choice& choice) {
  const auto landmarks_of = stimulus.recorded ? find_landmarks_of_activity : find_landmarks;
  const Landmarks marks = landmarks_of(stimulus.file);
  std::vector<Group> plan;
  if (stimulus.second.empty()) {
    plan = make_plan(target, stimulus.depth, marks, choice.only);
  } else {
    plan = make_pair_plan(target, stimulus.depth, 0, marks, choice.only);
    const Landmarks seconds = landmarks_of(stimulus.second);
    for (Group& group : make_pair_plan(target, stimulus.depth, 1, seconds, choice.only))
      plan.push_back(std::move(group));
  }
  if (choice.questions.empty()) return plan;
  // A question can also name an event of a set, or be one that is asked without traces.
  std::vector<Group> more;
  if (questions::family_of(target) != nullptr) more = questions::groups_of(target, choice.extent, marks);
  for (const Group& group : plan) {
    for (Group& one : apart(group)) more.push_back(std::move(one));
  }
  std::move(more.begin(), more.end(), std::back_inserter(plan));
  std::vector<Group> named;
  std::set<std::pair<std::string, unsigned>> known;  // with the thread
  for (Group& group : plan) {
    const std::string name = group.question();
    const bool is_named = std::find(choice.questions.begin(), choice.questions.end(), name) != choice.questions.end();
    if (is_named && known.emplace(name, group.thread).second) named.push_back(std::move(group));
  }
  return named;
}

std::vector<Group> apart(const Group& group) {
  std::vector<Group> alone;
  if (group.checks.size() < 2 || group.whole) return alone;
  for (const Check& check : group.checks) {
    alone.push_back(group);
    alone.back().checks = {check};
  }
  return alone;
}

namespace {

/// All questions of a target; made once.
const std::vector<questions::Question>& all_questions(const std::string& target, questions::Extent extent) {
  static std::map<std::pair<std::string, questions::Extent>, std::vector<questions::Question>> known;
  const auto [place, is_new] = known.try_emplace({target, extent});
  if (is_new) place->second = questions::questions_of(target, extent);
  return place->second;
}

/// The questions that the choice names, in its order: an encoder may give the registers of the request before.
std::vector<questions::Question> named_questions(const std::string& target, const Choice& choice) {
  const std::vector<questions::Question>& all = all_questions(target, choice.extent);
  std::vector<questions::Question> named;
  for (const std::string& name : choice.questions) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& q) { return q.group.question() == name; });
    if (found != all.end()) named.push_back(*found);
  }
  return named;
}

}  // namespace

bool are_questions(const std::string& target, const Choice& choice) {
  return !choice.questions.empty() && questions::family_of(target) != nullptr &&
         named_questions(target, choice).size() == choice.questions.size();
}

std::vector<questions::Question> questions_of(const std::string& target, const QuestionPart& part,
                                              const Choice& choice) {
  if (!choice.questions.empty()) return named_questions(target, choice);
  const Only only(choice.only);
  auto list = questions::part_of(all_questions(target, choice.extent), part.number, part.of);
  std::erase_if(list, [&](const questions::Question& question) {
    const auto& checks = question.group.checks;
    return !std::all_of(checks.begin(), checks.end(), [&](const Check& check) { return only.admits(check.text()); });
  });
  return list;
}

std::vector<std::string> selected_targets(std::vector<std::string> targets, const std::string& patterns) {
  const Only only(patterns);
  if (only.empty()) return targets;
  const auto selected = [&](const std::string& target) {
    const std::vector<std::string> rows = row_names(target);
    return std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
      return only.admits(row) || only.may_admit_more_of(row.substr(0, row.find(':')));
    });
  };
  std::vector<std::string> chosen;
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(chosen), selected);
  if (chosen.empty()) throw nothing_selected(targets, patterns);
  return chosen;
}

UsageError nothing_selected(const std::vector<std::string>& targets, const std::string& patterns) {
  if (const std::string why = undefined_event(targets, Only(patterns).word()); !why.empty())
    return UsageError("--only: " + why);
  std::vector<std::string> rows;
  for (const std::string& target : targets) {
    for (std::string& row : row_names(target)) rows.push_back(std::move(row));
  }
  const std::vector<std::string_view> names(rows.begin(), rows.end());
  const std::string near = models::nearest(Only(patterns).word(), names);
  return UsageError(fmt::format("--only '{}' selects no event of {}{}", patterns, fmt::join(targets, ", "),
                                near.empty() ? "; pmusim events lists them" : fmt::format("; did you mean {}?", near)));
}

}  // namespace pmusim::testbench
