// The differences between the counts of two runs, and between the functions of two reports.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/support/output.h"

namespace pmusim::testbench {

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
