// Answers to questions on the stimuli, one after the other, until each has shown what it has to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/questions/exam.h"

namespace pmusim::testbench::questions {

/// Mismatches of one reason that are listed.
inline constexpr std::uint64_t examples_of_cause = 3;

/// Where the verdict on a question goes.
struct Place {
  std::size_t part = 0;
  std::size_t number = 0;  ///< in the part
};

/// Judges the answers of an exam; `places` has the place of each question.
void examine(const Exam& exam, std::vector<JobVerdict>& parts, const std::vector<Place>& places);

}  // namespace pmusim::testbench::questions
