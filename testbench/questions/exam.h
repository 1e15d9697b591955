// Puts questions to an encoder and judges the answers: for each question traces are chosen on which leaving out any of
// its attributes would show, every answer runs on these, and all that the registers do is compared with the oracle.
#pragma once

#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/questions/question.h"
#include "testbench/validate/cache.h"
#include "testbench/validate/candidate.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench::questions {

struct Exam {
  std::string job;
  std::string target;
  models::Parameters parameters;
  bool as_shipped = true;  ///< no parameter differs from its default
  std::vector<Question> questions;
  std::vector<Answer> answers;  ///< one for each question
  std::string reproduce;        ///< command line without the question
  /// Whose each answer is, where several encoders answer: of each of them one mismatch is enough. Empty: all are one's.
  std::vector<std::size_t> encoders = {};
  bool bare = false;       ///< one mismatch of each question is enough; its reason is not looked for
  Cache* cache = nullptr;  ///< keeps what was judged; null: all is made anew
};

[[nodiscard]] JobVerdict examine(const Exam& exam);

/// Each `parts`-th question, from `part` on; those of one event stay together.
[[nodiscard]] std::vector<Question> part_of(std::vector<Question> questions, std::size_t part, std::size_t parts);

}  // namespace pmusim::testbench::questions
