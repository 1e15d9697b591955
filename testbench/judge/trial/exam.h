// Judges an encoder's answers to questions. For each question it chooses traces on which leaving out any of its
// attributes changes a count, runs every answer on these, and compares all registers with the oracle.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/stimuli.h"
#include "testbench/judge/verdict/parts.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/cache.h"

namespace pmusim::testbench::questions {

struct Exam {
  std::string job;
  std::string target;
  models::Parameters parameters;
  bool as_shipped = true;  ///< no parameter differs from its default
  std::vector<Question> questions;
  std::vector<Answer> answers;  ///< one for each question
  std::string reproduce;        ///< command line without the question
  /// The encoder of each answer, if there are several: one mismatch per encoder is enough. Empty: a single encoder.
  std::vector<std::size_t> encoders = {};
  const std::set<std::string>* known = nullptr;  ///< events that the encoder has; null: all
  /// Every event must count on some activity, and rare ones are judged on all activity of a trace.
  bool thorough = true;
  bool bare = false;                    ///< one mismatch per question is enough; no diagnosis
  Cache* cache = nullptr;               ///< keeps the verdicts; null: everything is judged again
  std::vector<TraceInput> traces = {};  ///< on which it is judged; empty: short_traces() of the target
  /// What the encoder was asked before the first question; none: nothing.
  std::optional<Group> before = {};
  /// For each answer that has the registers of the previous question instead of its own: the previous question. Filled
  /// in by examine(); empty if there is no such answer.
  std::vector<std::string> stale = {};
};

/// The job that judges the answers; the exam must outlive it.
[[nodiscard]] std::unique_ptr<JobOfParts> job_of(const Exam& exam);
[[nodiscard]] JobVerdict examine(const Exam& exam);

/// The questions of part `part` of `parts`; questions about the same event stay in the same part.
[[nodiscard]] std::vector<Question> part_of(std::vector<Question> questions, std::size_t part, std::size_t parts);

}  // namespace pmusim::testbench::questions
