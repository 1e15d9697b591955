// Measures the processor time of works to be compared, each in a new process: SystemC allows one simulation per
// process, and no earlier run has warmed caches or filled the heap.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace pmusim::testbench {

using Work = std::function<std::uint64_t()>;

struct Measurement {
  double seconds = 0;          ///< processor time of a single run of the work, the minimum of all rounds
  std::uint64_t digest = 0;    ///< the work's result, the same each time
  std::vector<double> rounds;  ///< processor time of a single run of the work, for each round
};

/// Runs the works `rounds` times. In a round all of them run at the same time on one processor, the shorter ones
/// repeatedly so that all take equally long: a temporary slowdown of the machine affects all of them alike. Throws if a
/// process fails or the digests of one work differ.
[[nodiscard]] std::vector<Measurement> measure(const std::vector<Work>& works, int rounds);

/// Time of the first divided by that of the second, both without `start`: the median of the rounds' ratios.
[[nodiscard]] double ratio(const Measurement& first, const Measurement& second, double start = 0);

}  // namespace pmusim::testbench
