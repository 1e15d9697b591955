// Processor time of a piece of work, each time in a process of its own: SystemC simulates once per process, and
// nothing that ran before has warmed or filled the heap.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace pmusim::testbench {

struct Measurement {
  double seconds = 0;          ///< processor time, the least of all rounds
  std::uint64_t digest = 0;    ///< what the work returned, the same in every round
  std::vector<double> rounds;  ///< processor time of each round
};

/// Runs each work `rounds` times, in turns, so that all see the same machine. Throws if a process fails or the
/// digests of one work differ.
[[nodiscard]] std::vector<Measurement> measure(const std::vector<std::function<std::uint64_t()>>& works, int rounds);

}  // namespace pmusim::testbench
