#include "testbench/cli/validate_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "models/common/parameters.h"
#include "testbench/cli/command.h"
#include "testbench/questions/exam.h"
#include "testbench/validate/only.h"

namespace pmusim::testbench {

std::vector<Group> plan_of(const std::string& target, const Stimulus& stimulus, const Choice& choice) {
  const auto landmarks_of = stimulus.recorded ? find_landmarks_of_activity : find_landmarks;
  const Landmarks marks = landmarks_of(stimulus.file);
  std::vector<Group> plan;
  if (stimulus.second.empty()) {
    plan = make_plan(target, stimulus.depth, marks, choice.only);
  } else {
    plan = make_pair_plan(target, 0, marks, choice.only);
    for (Group& group : make_pair_plan(target, 1, landmarks_of(stimulus.second), choice.only))
      plan.push_back(std::move(group));
  }
  if (!choice.question.empty())
    std::erase_if(plan, [&](const Group& group) { return group.question() != choice.question; });
  return plan;
}

std::vector<questions::Question> questions_of(const std::string& target, const QuestionPart& part,
                                              const Choice& choice) {
  const Only only(choice.only);
  auto list = questions::part_of(questions::questions_of(target, choice.extent), part.number, part.of);
  std::erase_if(list, [&](const questions::Question& question) {
    if (!choice.question.empty()) return question.group.question() != choice.question;
    const auto& checks = question.group.checks;
    return !std::all_of(checks.begin(), checks.end(), [&](const Check& check) { return only.admits(check.text()); });
  });
  return list;
}

void check_selection(const std::vector<std::string>& targets, const std::string& patterns) {
  const Only only(patterns);
  if (only.empty()) return;
  std::vector<std::string> rows;
  for (const std::string& target : targets) {
    for (std::string& row : row_names(target)) rows.push_back(std::move(row));
  }
  const std::string word = only.word();
  const bool any = std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
    return only.admits(row) || only.admits(word.substr(0, row.size() + 1) == row + ':' ? word : row);
  });
  if (any) return;
  std::vector<std::string_view> names(rows.begin(), rows.end());
  std::string upper = word;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  throw UsageError(fmt::format("--only '{}' selects no event of {}{}", patterns, fmt::join(targets, ", "),
                               models::nearest(upper, names).empty()
                                   ? "; pmusim events lists them"
                                   : fmt::format("; did you mean {}?", models::nearest(upper, names))));
}

}  // namespace pmusim::testbench
