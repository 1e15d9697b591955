// Randomised sampling periods.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

namespace pmusim::testbench {

/// Periods drawn evenly from half of the requested period to one and a half times it, so that the samples of a loop do
/// not all fall on the same instruction. A narrower spread would leave neighbouring samples of a long loop alike. The
/// same seed gives the same periods. A period below 2 is constant.
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

/// Draws a period that a counter can have. A period above the maximum is reflected: it becomes as much below the
/// maximum as it was above it, so that the distribution stays even.
[[nodiscard]] inline std::uint64_t within(std::uint64_t drawn, std::uint64_t least, std::uint64_t longest) {
  if (drawn > longest) drawn = drawn - longest < longest ? longest - (drawn - longest) : least;
  return std::clamp(drawn, least, longest);
}

}  // namespace pmusim::testbench
