// Limits of the time in which nothing happens. A trace of two lines can last for 2^53 cycles, and what follows the
// activity cycle by cycle, or block by block, must end.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "models/activity/activity.h"
#include "models/core/core.h"

namespace pmusim::testbench {

/// The most cycles without activity that one run goes through, in all.
struct SilenceLimit {
  activity::Cycle cycles;
  std::string_view of;  ///< what has the limit
};
/// PMUs take such cycles in blocks of up to 2^31.
inline constexpr SilenceLimit silence_of_run{activity::Cycle{1} << 49, "of a run"};
/// Some thousand PMUs or recorders at once.
inline constexpr SilenceLimit silence_of_validation{activity::Cycle{1} << 40, "of a validation"};
inline constexpr SilenceLimit silence_of_explanation{activity::Cycle{1} << 40, "of an explanation"};
/// The processor could take an interrupt after any of them, so that blocks stay short.
inline constexpr SilenceLimit silence_of_perturbation{activity::Cycle{1} << 30, "with --perturb"};
/// Each edge of the clock is simulated.
inline constexpr SilenceLimit silence_of_waveform{activity::Cycle{1} << 20, "of a waveform"};

/// Adds up the cycles of blocks in which nothing happens.
class Silence {
 public:
  explicit Silence(SilenceLimit limit) : limit_(limit) {}
  /// Throws core::CoreError as soon as there are too many.
  void add(const activity::Block& block) {
    const auto is_empty = [](const auto& column) { return column.empty(); };
    if (!block.accesses.empty() || !std::all_of(block.columns.begin(), block.columns.end(), is_empty)) return;
    cycles_ += block.end - block.begin;
    if (cycles_ <= limit_.cycles) return;
    throw core::CoreError(fmt::format(
        "cycle {}: nothing happens in more than {} cycles, the limit {}; shorten the idle time of the trace",
        block.begin, limit_.cycles, limit_.of));
  }

 private:
  SilenceLimit limit_;
  activity::Cycle cycles_ = 0;
};

}  // namespace pmusim::testbench
