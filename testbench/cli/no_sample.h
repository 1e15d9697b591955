// The reasons why a recording has no sample.
#pragma once

#include <string>
#include <vector>

#include "testbench/driver/sampling.h"

namespace pmusim::testbench {

/// A counter that was to be sampled.
struct Awaited {
  std::string event;
  SampledCounter counter;
  std::uint64_t start = 0;  ///< its value before the first cycle
};

/// One sentence for each counter: too few events, or an overflow that did not interrupt the processor.
[[nodiscard]] std::vector<std::string> why_no_sample(const models::Target& target, const MonitorResult& result,
                                                     const std::vector<Awaited>& counters);

}  // namespace pmusim::testbench
