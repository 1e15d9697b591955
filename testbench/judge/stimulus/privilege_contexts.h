// The activity of an IA-64 trace in other privilege contexts. Most programs run at user level with all monitors on,
// where a missing filter has no effect.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::questions {

/// The number of contexts on a processor with `threads` hardware threads: each level, with all monitors on, with only
/// user or only privileged monitors on, as IA-64 or IA-32 code, and on the other thread.
[[nodiscard]] unsigned privilege_contexts(unsigned threads);
/// The bits that a context inverts in the states.
struct PrivilegeContext {
  std::uint64_t cpl = 0, psr = 0, thread = 0;
};
[[nodiscard]] PrivilegeContext privilege_context(unsigned threads, unsigned context);
/// The log in one context.
[[nodiscard]] ActivityLog in_context(ActivityLog log, unsigned threads, unsigned context);

}  // namespace pmusim::testbench::questions
