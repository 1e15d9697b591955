// The answers of a candidate. It is asked once for each distinct group.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/support/progress.h"

namespace pmusim::testbench {

class Answers {
 public:
  /// `progress` advances with every answer; its total grows by the groups that are requested.
  explicit Answers(EncoderUnderTest& candidate, Progress* progress = nullptr)
      : candidate_(candidate), progress_(progress) {}
  /// One answer per group. All unknown ones are requested together; a missing one is requested again.
  [[nodiscard]] std::vector<Answer> of(const std::string& target, const std::vector<const Group*>& groups);

  /// Keeps further answers apart from those known now. Call it before child processes start: a child that writes
  /// between the known ones copies page after page.
  void keep_apart() { settled_.merge(known_); }

 private:
  EncoderUnderTest& candidate_;
  Progress* progress_;
  std::unordered_map<std::string, Answer> known_, settled_;
};

/// A candidate failed to answer one of them.
[[nodiscard]] bool any_missing(const std::vector<Answer>& answers);

}  // namespace pmusim::testbench
