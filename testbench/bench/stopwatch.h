// Processor time of pieces of work to be compared, each time in a process of its own: SystemC simulates once per
// process, and nothing that ran before has warmed or filled the heap.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace pmusim::testbench {

using Work = std::function<std::uint64_t()>;

struct Measurement {
  double seconds = 0;          ///< processor time of the work done once, the least of all rounds
  std::uint64_t digest = 0;    ///< what the work returned, the same each time
  std::vector<double> rounds;  ///< processor time of the work done once, for each round
};

/// Does the works `rounds` times. In a round all of them go on at once and share one processor, the shorter ones again
/// and again so that all take as long: whatever makes the machine slower for a while does so for all of them alike.
/// Throws if a process fails or the digests of one work differ.
[[nodiscard]] std::vector<Measurement> measure(const std::vector<Work>& works, int rounds);

/// Time of the first over that of the second, `start` taken off both: the middle one of the rounds' ratios.
[[nodiscard]] double ratio(const Measurement& first, const Measurement& second, double start = 0);

}  // namespace pmusim::testbench
