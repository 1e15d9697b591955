// The same instructions as somebody else: most programs run as users, unmarked, and would not tell a filter that is
// missing from one that is there.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench::questions {

/// Directives in front of a trace; none: as it is.
struct Mode {
  std::string name;
  std::vector<trace::Directive> directives;
  unsigned times = 0;     ///< its activity is looked at with every occurrence once to this many times, too
  bool gathered = false;  ///< it is a part of stimuli that have all traces
  /// States that have this value all the time, in the activity of the trace as it is.
  std::vector<std::pair<activity::State, std::uint64_t>> held = {};
};
/// The modes of an instruction set, the trace as it is first.
[[nodiscard]] std::span<const Mode> modes_of(trace::Isa isa);

/// The trace with the mode's directives in front. Directives of the trace itself come later and win.
[[nodiscard]] std::unique_ptr<trace::Reader> in_mode(std::unique_ptr<trace::Reader> trace, const Mode& mode);

}  // namespace pmusim::testbench::questions
