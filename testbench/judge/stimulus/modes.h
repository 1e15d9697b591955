// The same instructions in other modes and privilege contexts. Most programs run at user level and unmarked, where a
// missing filter has no effect.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/activity_source.h"

namespace pmusim::testbench::questions {

/// Directives before a trace; none: the trace is unchanged.
struct Mode {
  std::string name;
  std::vector<trace::Directive> directives;
  unsigned times = 0;  ///< its activity is also used with every occurrence repeated up to this many times in a cycle
  /// States with a constant value, set in the activity of the unchanged trace.
  std::vector<std::pair<activity::State, std::uint64_t>> held = {};
};
/// The modes of an instruction set; the first one leaves the trace unchanged.
[[nodiscard]] std::span<const Mode> modes_of(trace::Isa isa);

/// The trace preceded by the mode's directives. Directives of the trace come later and override them.
[[nodiscard]] std::unique_ptr<trace::Reader> in_mode(std::unique_ptr<trace::Reader> trace, const Mode& mode);

// The activity of an IA-64 trace in other privilege contexts. Most programs run at user level with all monitors on,
// where a missing filter has no effect.

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
