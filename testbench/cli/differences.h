// The differences between the verdicts of two validations, by event and by mismatch; between the counts of two runs;
// and between the functions of two reports.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/support/output.h"

namespace pmusim::testbench {

/// The fields of a register that differ between two values, in words; none if the encoder does not know the register.
[[nodiscard]] std::vector<std::string> field_changes(const std::string& target, const std::string& reg,
                                                     std::uint64_t before, std::uint64_t now);

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

/// One count, or one amount of a function.
struct CountChange {
  std::string table;  ///< events; or the amount of functions: cycles, or an event
  std::string what;   ///< event or function; with two traces also its thread
  Json before, now;   ///< null: not there
  std::int64_t delta = 0;
  Json percent;  ///< of the value before; null if that is 0 or not there
};

/// True for a run or a report.
[[nodiscard]] bool has_counts(const Json& object);
/// The counts that differ, by table, largest effect first: events by their relative change, functions by the change of
/// the amount. Removes what has been compared from both objects. Throws UsageError for an object of another form.
[[nodiscard]] std::vector<CountChange> take_counts(Json& before, Json& now);

}  // namespace pmusim::testbench
