// Judges answers to questions on one stimulus after the other, until the needs of each question are met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/judge/trial/exam.h"

namespace pmusim::testbench::questions {

/// Number of mismatches listed per cause.
inline constexpr std::uint64_t examples_of_cause = 3;

/// Position of a question's verdict.
struct Place {
  std::size_t part = 0;
  std::size_t number = 0;  ///< in the part
};

/// Judges the answers of an exam; `places` has one entry per question.
void examine(const Exam& exam, std::vector<JobVerdict>& parts, const std::vector<Place>& places);

}  // namespace pmusim::testbench::questions
