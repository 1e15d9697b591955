// Periods of counters, drawn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

namespace pmusim::testbench {

/// Periods spread evenly over half to either side of the one asked for, so that samples of a loop do not all
/// fall on the same instruction; a narrower spread leaves neighbouring samples of a long loop alike. The same seed
/// gives the same periods; below 2 there is nothing to spread.
class RandomPeriod {
 public:
  explicit RandomPeriod(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t operator()(std::size_t /*counter*/, std::uint64_t period) {
    const std::uint64_t spread = period / 2;
    return std::uniform_int_distribution<std::uint64_t>(period - spread, period + spread)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// A drawn period within what a counter can have: one past the longest is as much below it, so that what was spread
/// evenly does not pile up there.
[[nodiscard]] inline std::uint64_t within(std::uint64_t drawn, std::uint64_t least, std::uint64_t longest) {
  if (drawn > longest) drawn = drawn - longest < longest ? longest - (drawn - longest) : least;
  return std::clamp(drawn, least, longest);
}

}  // namespace pmusim::testbench
