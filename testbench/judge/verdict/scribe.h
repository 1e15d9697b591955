// Turns the results of trials into the verdict of their part: rows, and mismatches with the details that a user needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/judge/diagnosis/diagnose.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench {

/// A count of a trial, and the expected count.
struct Counted {
  std::string counter;
  std::uint64_t counted = 0, expected = 0;
};

/// Writes the results of one group. `check` is a check of that group.
class Scribe {
 public:
  /// `listed`: maximum number of listed mismatches, besides the first one of each row.
  Scribe(const Task& task, JobVerdict& verdict, std::size_t listed, const Group& group, const Answer& answer)
      : task_(task), verdict_(verdict), listed_(listed), group_(group), answer_(answer), failed_(group.checks.size()) {}

  [[nodiscard]] JobVerdict& verdict() const { return verdict_; }
  [[nodiscard]] RowVerdict& row(const Check& check) const { return verdict_.rows[row_name(check.request)]; }
  /// The name of a check in reports.
  [[nodiscard]] std::string name_of(const Check& check) const;
  [[nodiscard]] Comparison comparison(const Check& check, const Counted& counted) const;
  /// Records a problem of a check. A check fails at most once: further problems of it are not recorded.
  void mismatch(const Check& check, const Counted& counted, const std::string& problem);
  /// Records that the answer has registers.
  void encoded() {
    for (const Check& check : group_.checks) ++row(check).encoded;
    for (const std::string& policy : names_of(answer_.policy)) ++verdict_.policies[policy];
  }
  /// Records that the answer has no registers to program.
  void refused();

 private:
  [[nodiscard]] std::string why_refused() const;
  [[nodiscard]] std::size_t number_of(const Check& check) const {
    return static_cast<std::size_t>(&check - group_.checks.data());
  }
  [[nodiscard]] diagnose::Diagnosis diagnosis_of(const Check& check, const Comparison& sample,
                                                 const std::string& problem) const;
  const Task& task_;
  JobVerdict& verdict_;
  std::size_t listed_;
  const Group& group_;
  const Answer& answer_;
  std::vector<bool> failed_;  ///< by check of the group
};

}  // namespace pmusim::testbench
