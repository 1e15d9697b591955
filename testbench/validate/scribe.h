// Turns what trials find into the verdict of their part: rows, and mismatches with what a user needs to look into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/diagnose/diagnose.h"
#include "testbench/oracle/oracle.h"
#include "testbench/validate/judge.h"

namespace pmusim::testbench {

/// What a trial counted beside what it should have counted.
struct Counted {
  std::string counter;
  std::uint64_t counted = 0, expected = 0;
};

/// Writes of one group. `check` is one of the group's own.
class Scribe {
 public:
  /// Most mismatches that are listed, but for the first of each row.
  Scribe(const Task& task, JobVerdict& verdict, std::size_t listed, const Group& group, const Answer& answer)
      : task_(task), verdict_(verdict), listed_(listed), group_(group), answer_(answer) {}

  [[nodiscard]] JobVerdict& verdict() const { return verdict_; }
  [[nodiscard]] RowVerdict& row(const Check& check) const { return verdict_.rows[row_name(check.request)]; }
  [[nodiscard]] Comparison comparison(const Check& check, const Counted& counted) const;
  void mismatch(const Check& check, const Counted& counted, const std::string& problem);
  /// There are no registers to program.
  void refused();

 private:
  void mismatch(const Check& check, Comparison sample, const std::string& problem);
  [[nodiscard]] std::string name_of(const Check& check) const;
  [[nodiscard]] std::string why_refused() const;
  [[nodiscard]] diagnose::Diagnosis diagnosis_of(const Check& check, const Comparison& sample,
                                                 const std::string& problem) const;
  const Task& task_;
  JobVerdict& verdict_;
  std::size_t listed_;
  const Group& group_;
  const Answer& answer_;
};

}  // namespace pmusim::testbench
