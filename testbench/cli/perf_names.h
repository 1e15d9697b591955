// perf's names of commands and options, and the nearest that pmusim has.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::testbench {

/// The command that one of perf's names runs, as `run` for `stat`; other names unchanged. Throws UsageError with the
/// nearest command for a name of perf that runs nothing.
[[nodiscard]] std::string_view command_named(std::string_view name);
/// One line with the nearest to an option of perf; empty for other options. `option`: as typed, `-a` or `--call-graph`.
[[nodiscard]] std::string nearest_option(std::string_view option);
/// The nearest to an event of perf that no target has; empty for other events.
[[nodiscard]] std::string nearest_event(std::string_view event);

}  // namespace pmusim::testbench
