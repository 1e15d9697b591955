// Activity of the IA-64 cores that is so rare that no short trace contains it: every state and every reason that
// activity can express, one after the other.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::mutate {

/// Activity of a load, a fetch and an instruction of `sample`, with each reason for which a queue may cancel or
/// recirculate them, every outcome of a branch, and each value of the states that events count. `told_apart`: the
/// number or duration of each is different within its kind.
[[nodiscard]] ActivityLog synthetic_activity(const Block& sample, bool told_apart);

/// Switches to the other thread that occur, do not occur, or are delayed, for each reason, each a different number of
/// times.
[[nodiscard]] ActivityLog thread_switches(const Block& sample);

}  // namespace pmusim::testbench::mutate
