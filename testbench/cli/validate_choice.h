// The questions that a validation judges: the options --only, --question and --quick.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/judge/question/plan.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

/// A part of a target's questions.
struct QuestionPart {
  std::size_t number = 0, of = 1;
};

/// The user's choice of questions.
struct Choice {
  std::string only;                    ///< patterns of events
  std::vector<std::string> questions;  ///< to be asked in this order, as a mismatch names them; none: all
  questions::Extent extent = questions::Extent::full;
};

/// The groups judged on a stimulus; with two threads, on each of them.
[[nodiscard]] std::vector<Group> plan_of(const std::string& target, const TraceInput& stimulus, const Choice& choice);
/// Each event of a set alone; none if the set has one event, or its filters need all.
[[nodiscard]] std::vector<Group> apart(const Group& group);
/// Whether the choice names questions and all of them are questions to the target, so that no trace's plan has to be
/// searched for them.
[[nodiscard]] bool are_questions(const std::string& target, const Choice& choice);
/// A part of the questions to a target; the named ones, if the choice names some.
[[nodiscard]] std::vector<questions::Question> questions_of(const std::string& target, const QuestionPart& part,
                                                            const Choice& choice);
/// The targets of which the patterns may select an event. Throws nothing_selected() if there is none.
[[nodiscard]] std::vector<std::string> selected_targets(std::vector<std::string> targets, const std::string& patterns);
/// The error for patterns that select no event of these targets; it names the nearest event.
[[nodiscard]] UsageError nothing_selected(const std::vector<std::string>& targets, const std::string& patterns);

}  // namespace pmusim::testbench
