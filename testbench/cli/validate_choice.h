// The questions that a validation judges: the options --only, --question and --quick.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/questions/question.h"
#include "testbench/validate/plan.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {

/// A part of a target's questions.
struct QuestionPart {
  std::size_t number = 0, of = 1;
};

/// The user's choice of questions.
struct Choice {
  std::string only;      ///< patterns of events
  std::string question;  ///< one question, in the form in which a mismatch names it
  questions::Extent extent = questions::Extent::full;
};

/// The groups judged on a stimulus; with two threads, on each of them.
[[nodiscard]] std::vector<Group> plan_of(const std::string& target, const Stimulus& stimulus, const Choice& choice);
/// A part of the questions to a target.
[[nodiscard]] std::vector<questions::Question> questions_of(const std::string& target, const QuestionPart& part,
                                                            const Choice& choice);
/// Throws UsageError for a pattern that matches nothing.
void check_selection(const std::vector<std::string>& targets, const std::string& patterns);

}  // namespace pmusim::testbench
