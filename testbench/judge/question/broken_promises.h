// Values of parameters under which hardware does not count what the registers of a question ask for: an encoder's
// manual page promises a count that such hardware cannot give. These questions have no right answer, so a validation
// under such a value leaves them out.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {

struct BrokenPromise {
  std::string_view parameter;
  std::int64_t value;
  /// Whether a check of a group has no right answer.
  bool (*concerns)(const Group& group, const Check& check);
  std::string_view reason;  ///< a sentence without a full stop: what such hardware does
};

/// What a validation leaves out under a target's parameters.
class LeftOut {
 public:
  LeftOut(const std::string& target, const models::Parameters& parameters);

  /// Whether any value breaks a promise.
  [[nodiscard]] bool any() const { return !broken_.empty(); }
  [[nodiscard]] bool concerns(const Group& group) const;
  /// Removes the checks without a right answer, and the groups that need them or become empty.
  void remove_from(std::vector<Group>& plan) const;
  /// The rows that a plan has before and not after remove_from().
  [[nodiscard]] std::set<std::string> rows_lost(std::vector<Group> plan) const;
  /// What is left out and why, in one line.
  [[nodiscard]] const std::string& reasons() const { return reasons_; }

 private:
  [[nodiscard]] bool concerns(const Group& group, const Check& check) const;
  std::vector<const BrokenPromise*> broken_;
  std::string reasons_;
};

}  // namespace pmusim::testbench
