// The differences between the verdicts of two validations, by event and by mismatch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/support/output.h"

namespace pmusim::testbench {

/// The verdicts on an event, or a mismatch.
struct VerdictChange {
  std::string target;
  std::string what;         ///< event without unit masks and attributes, or the question of a mismatch with its trace
  std::string before, now;  ///< ok, mismatch, not exercised, unsupported; of a mismatch what it says; empty: not asked
  bool event = false;       ///< the numbers below are those of an event; a mismatch has none
  std::uint64_t mismatches_before = 0, mismatches_now = 0;
  std::uint64_t questions = 0;  ///< whose verdicts differ
};

/// True for a target's object of `validate --format json`.
[[nodiscard]] bool has_verdicts(const Json& object);
/// The events whose verdicts differ, the largest change of mismatches first; then the mismatches that are new, changed
/// or gone. A question about several events counts for each of them. Removes what has been compared from both objects.
/// Throws UsageError for an object of another form.
[[nodiscard]] std::vector<VerdictChange> take_verdicts(Json& before, Json& now);

}  // namespace pmusim::testbench
