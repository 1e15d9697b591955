// What the IA-64 cores do so seldom that no short trace shows it: every state and every reason that activity can name,
// one after the other.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::mutate {

/// Activity of a load, a fetch and an instruction of `sample`, with each reason for which a queue may cancel them or
/// recirculate them, every outcome of a branch, and each value of the states that events count. `told_apart`: each
/// as often, or as long, as no other one of its kind.
[[nodiscard]] ActivityLog synthetic_activity(const Block& sample, bool told_apart);

/// Switches to the other thread that come about, do not, or are held up, for each reason; each as often as no other.
[[nodiscard]] ActivityLog thread_switches(const Block& sample);

}  // namespace pmusim::testbench::mutate
