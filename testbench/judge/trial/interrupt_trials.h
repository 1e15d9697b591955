// Judges counter interrupts and profiled instructions, for a target whose plan has groups with `sampled`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/driver/session.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {

/// The sampled groups of a plan, by their numbers.
class InterruptTrials {
 public:
  /// Cycles in which the expected count of a check reached Sampled::grain() or a multiple of it.
  using Overflows = std::function<const std::vector<Cycle>&(std::size_t check)>;
  /// The result of a group: the number of samples judged, and the compared counts.
  struct Outcome {
    std::uint64_t samples = 0;
    std::uint64_t counted = 0;  ///< interrupts, or the value of the statistic
    std::uint64_t expected = 0;
    std::vector<std::string> problems;
    std::uint64_t untaken = 0;                ///< requests of a counter without a separate interrupt
    std::uint64_t range = ~std::uint64_t{0};  ///< bits of the count above the width of the counter
  };
  virtual ~InterruptTrials() = default;
  /// The setup that programs the monitor of a group with `sampled`. The group's only check has this number.
  [[nodiscard]] virtual MonitorSetup add(std::size_t group_number, std::size_t check, const Group& group,
                                         const Answer& answer) = 0;
  /// Call before the monitors consume the block and after the oracle has counted it.
  virtual void consume(const Block& block, const Overflows& overflows) = 0;
  [[nodiscard]] virtual Outcome finish(std::size_t group_number, const MonitorResult& result) = 0;
};

}  // namespace pmusim::testbench
