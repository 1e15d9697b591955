// The activity of an IA-64 trace as that of somebody else: most programs run as users, with all monitors on, and would
// not tell a filter that is missing from one that is there.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::questions {

/// The log once in every context, one after the other: at each level, with all monitors on, with user or with
/// privileged ones alone, as IA-64 or IA-32 code, and, on a core with two hardware threads, as that of the other one.
[[nodiscard]] ActivityLog in_all_contexts(const ActivityLog& log, unsigned threads);

/// How many contexts there are on a processor with `threads`.
[[nodiscard]] unsigned privilege_contexts(unsigned threads);
/// What a context turns over in the states.
struct PrivilegeContext {
  std::uint64_t cpl = 0, psr = 0, thread = 0;
};
[[nodiscard]] PrivilegeContext privilege_context(unsigned threads, unsigned context);
/// The same in one of them.
[[nodiscard]] ActivityLog in_context(const ActivityLog& log, unsigned threads, unsigned context);

}  // namespace pmusim::testbench::questions
