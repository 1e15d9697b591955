// Which defects of an encoder the questions notice: each defect answers through the protocol, as a foreign encoder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/questions/question.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench::questions {

struct Trial {
  enum class Verdict : std::uint8_t {
    caught,       ///< by the quick questions
    caught_late,  ///< by all of them only
    unfit,        ///< no answer differs from the right one
    excused,      ///< no difference can show, by a manual
    missed
  };
  std::string target, defect, about;
  Verdict verdict = Verdict::missed;
  std::string by;  ///< the question that noticed it, the excuse, or what was not noticed
};
[[nodiscard]] std::string_view name_of(Trial::Verdict verdict);

/// The rule by which two answers count the same, from a manual; empty: by none that is known.
using SameByRule = std::function<std::string(const std::string& target, const Answer& right, const Answer& changed)>;

struct TrialOptions {
  std::string program;    ///< pmusim, which serves the defective encoders
  std::string only = {};  ///< patterns of defects
  unsigned jobs = 1;      ///< processes
  bool quick = false;     ///< the quick questions alone
  SameByRule same = {};   ///< what it says of an answer need not be noticed
};
/// Tries all defects of a target; trials in their order. `advance` is told what is done: the quick questions, then all.
[[nodiscard]] std::vector<Trial> try_defects(const std::string& target, const TrialOptions& options,
                                             const std::function<void(const std::string&)>& advance = {});

}  // namespace pmusim::testbench::questions
