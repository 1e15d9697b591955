// Sampling on an Alpha, as its profilers do it: an interrupt tells which counter overflowed, and the handler writes the
// counter's next start value with a call of PALcode. The 21064's counters cannot be written: its periods are those of
// the hardware.
#pragma once

#include <vector>

#include "testbench/driver/alpha.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {

class AlphaSampler {
 public:
  /// Throws std::invalid_argument for an unknown counter, or a period that it cannot have. A 21264A in ProfileMe mode
  /// samples fetched instructions with PCTR0; what it knows of one comes as latched registers.
  AlphaSampler(pmu::AlphaChip chip, const std::vector<SampledCounter>& counters, Sampler::Sink sink,
               Sampler::NextPeriod next_period = {});
  /// Start values of the counters; after the selectors, before the enables.
  void preset(Programming& programming) const;
  void operator()(RegisterBus& bus, const pmu::EntryState& entry);
  [[nodiscard]] std::uint64_t samples() const { return next_index_; }

 private:
  struct Armed {
    const AlphaCounter* counter;
    std::uint64_t period;
    std::uint64_t current;  ///< of the sample under way
  };
  void restart(RegisterBus& bus, Armed& armed, std::size_t index);

  pmu::AlphaChip chip_;
  std::vector<Armed> counters_;
  Sampler::Sink sink_;
  Sampler::NextPeriod next_period_;
  std::uint64_t next_index_ = 0;
};

}  // namespace pmusim::testbench
