// Finds the defects of an encoder that the questions notice. Each defect answers through the protocol, as a foreign
// encoder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/question.h"

namespace pmusim::testbench::questions {

struct Trial {
  enum class Verdict : std::uint8_t {
    caught,       ///< by the quick questions
    caught_late,  ///< by the full set only
    unfit,        ///< no answer differs from the right one
    excused,      ///< by a manual, no difference can show
    missed
  };
  std::string target, defect, about;
  Verdict verdict = Verdict::missed;
  std::string by;  ///< the question that noticed it, the excuse, or the differences that were not noticed
};
[[nodiscard]] std::string_view name_of(Trial::Verdict verdict);

/// The rule of a manual by which two answers count the same; empty: no known rule.
using SameByRule = std::function<std::string(const std::string& target, const Answer& right, const Answer& changed)>;

struct TrialOptions {
  std::string program;    ///< pmusim, which serves the defective encoders
  std::string only = {};  ///< patterns of the defects to try
  unsigned jobs = 1;      ///< processes
  bool quick = false;     ///< the quick questions only
  SameByRule same = {};   ///< answers for which it gives a rule need not be noticed
};
/// The number of steps in which the defects of a target are tried, if no step is unnecessary.
[[nodiscard]] std::size_t most_steps(const TrialOptions& options);
/// Tries all defects of a target; trials in their order. `advance` is called when a part of the questions is judged, at
/// most most_steps() times, with the name of these questions.
[[nodiscard]] std::vector<Trial> try_defects(const std::string& target, const TrialOptions& options,
                                             const std::function<void(const std::string&)>& advance = {});

}  // namespace pmusim::testbench::questions
