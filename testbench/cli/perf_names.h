// perf's names of commands, options and events, and the nearest that pmusim has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// The command that one of perf's names runs, as `run` for `stat`; other names unchanged. Throws UsageError with the
/// nearest command for a name of perf that runs nothing.
[[nodiscard]] std::string_view command_named(std::string_view name);
/// One line with the nearest to an option of perf; empty for other options. `option`: as typed, `-a` or `--call-graph`.
[[nodiscard]] std::string nearest_option(std::string_view option);
/// The nearest to an event of perf that no target has; empty for other events.
[[nodiscard]] std::string nearest_event(std::string_view event);

/// All generic names of events (perf-list(1), hardware and cache events), and other spellings of them: `branches` and
/// `branch-instructions`.
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
