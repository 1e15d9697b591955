// Sampling on an Alpha, as its profilers do it: an interrupt reports which counter overflowed, and the handler writes
// the counter's next start value with a PALcode call. The 21064's counters cannot be written; their periods are those
// of the hardware.
#pragma once

#include <memory>
#include <vector>

#include "models/alpha/wrperfmon.h"
#include "testbench/driver/firmware.h"

namespace pmusim::testbench::targets::alpha {

/// Throws std::invalid_argument for an unknown counter, or a period that it does not support. A 21264A in ProfileMe
/// mode samples fetched instructions with PCTR0; their data is returned as latched registers.
[[nodiscard]] std::unique_ptr<FirmwareSampler> make_sampler(pmu::AlphaChip chip,
                                                            const std::vector<SampledCounter>& counters,
                                                            Sampler::Sink sink, Sampler::NextPeriod next_period);

}  // namespace pmusim::testbench::targets::alpha
