// The questions of a target as groups of a plan.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbench/judge/question/question.h"

namespace pmusim::testbench::questions {

/// The legal questions, with breakpoints at these landmarks; without those about start values.
[[nodiscard]] inline std::vector<Group> groups_of(const std::string& target, Extent extent,
                                                  const Landmarks& landmarks) {
  std::vector<Group> groups;
  for (Question& question : questions_of(target, extent)) {
    if (!question.illegal.empty() || question.group.period != 0) continue;
    move_to(target, landmarks, question.group);
    groups.push_back(std::move(question.group));
  }
  return groups;
}

}  // namespace pmusim::testbench::questions
