// perf's generic names of events (perf-list(1), hardware and cache events), and the events of a target for which they
// stand.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// All generic names, and other spellings of them: `branches` and `branch-instructions`.
[[nodiscard]] std::vector<std::string_view> generic_names();
/// The event that a generic name, which may have attributes (`instructions:u`), stands for, and a note that says so and
/// how it differs from what the name promises. Another event stays as it is, without a note. Throws UsageError with the
/// reason for a name that stands for no event of the target.
struct NamedEvent {
  std::string event, note;
};
[[nodiscard]] NamedEvent named_event(std::string_view target, const std::string& given);
/// The events of --event. Generic names are replaced, and notes on standard error say by what.
[[nodiscard]] std::vector<std::string> named_event_list(const Arguments& arguments, std::string_view target);

}  // namespace pmusim::testbench
