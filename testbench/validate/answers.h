// The answers of a candidate. It is asked once for each distinct group.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "testbench/validate/candidate.h"

namespace pmusim::testbench {

class Answers {
 public:
  explicit Answers(Candidate& candidate) : candidate_(candidate) {}
  /// One answer per group. All unknown ones are requested together; a missing one is requested again.
  [[nodiscard]] std::vector<Answer> of(const std::string& target, const std::vector<const Group*>& groups);

 private:
  Candidate& candidate_;
  std::unordered_map<std::string, Answer> known_;
};

/// A candidate failed to answer one of them.
[[nodiscard]] bool any_missing(const std::vector<Answer>& answers);

}  // namespace pmusim::testbench
