// The activity of an IA-64 trace in other privilege contexts. Most programs run at user level with all monitors on,
// where a missing filter has no effect.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::questions {

/// The log once in every context: each level, with all monitors on, with only user or only privileged monitors on, as
/// IA-64 or IA-32 code, and, on a core with two hardware threads, on the other thread.
[[nodiscard]] ActivityLog in_all_contexts(const ActivityLog& log, unsigned threads);

/// The number of contexts on a processor with `threads` hardware threads.
[[nodiscard]] unsigned privilege_contexts(unsigned threads);
/// The bits that a context inverts in the states.
struct PrivilegeContext {
  std::uint64_t cpl = 0, psr = 0, thread = 0;
};
[[nodiscard]] PrivilegeContext privilege_context(unsigned threads, unsigned context);
/// The log in one context.
[[nodiscard]] ActivityLog in_context(const ActivityLog& log, unsigned threads, unsigned context);

}  // namespace pmusim::testbench::questions
