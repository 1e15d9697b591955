// Sampling: one interrupt per period of events, handled as a profiler's handler does it on each target.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/driver/random_period.h"
#include "testbench/driver/session.h"
#include "testbench/driver/session_facts.h"

namespace pmusim::testbench {

/// A counter that overflows every `period` events.
struct SampledCounter {
  std::string name;          ///< PerfCtr0, PMC1
  std::uint64_t period = 0;  ///< events between samples; limits: presets()
};

/// The data of one sample.
struct Sample {
  std::uint64_t index = 0;
  Cycle cycle = 0;       ///< first cycle not executed when the handler ran
  Cycle requested = 0;   ///< cycle of the overflow's request
  std::uint64_t ip = 0;  ///< where the program was interrupted
  unsigned thread = 0;
  std::size_t counter = 0;   ///< index of the sampled counter that overflowed; none: number of counters
  std::uint64_t period = 0;  ///< events that this sample stands for
  std::vector<std::pair<std::string, std::uint64_t>> latched;  ///< registers in which hardware records more (SIA, PMD2)
};

/// The sample of an interrupt that was taken, without counter and registers.
[[nodiscard]] Sample sample_of(const pmu::EntryState& entry, std::uint64_t index);

/// Names of registers, besides the counters, that a handler reads for its sample, and of those that it then clears.
struct LatchedRegisters {
  std::vector<std::string_view> read = {};
  std::vector<std::string_view> cleared = {};
};

/// Register writes that the target's interrupt entry makes; none if it makes none.
[[nodiscard]] std::vector<RegisterWrite> interrupt_delivery(const models::Target& target,
                                                            const models::Parameters& parameters);

class Sampler {
 public:
  using Sink = std::function<void(const Sample&)>;
  /// Returns the next period of a counter. If empty, the period is constant. A period above the counter's limit is
  /// reflected there: see within().
  using NextPeriod = std::function<std::uint64_t(std::size_t counter, std::uint64_t period)>;

  /// Throws std::invalid_argument for a target without a sampling rule, for an unknown counter or register, and for a
  /// period above its limit. `latched` adds to the registers that the target always latches.
  Sampler(const models::Target& target, const models::Parameters& parameters, std::vector<SampledCounter> counters,
          Sink sink, NextPeriod next_period = {}, const LatchedRegisters& latched = {});
  /// Start values of the counters; to be written after the selectors and before the enables.
  [[nodiscard]] std::vector<RegisterWrite> presets() const;
  /// The handler: finds the counters that overflowed, samples each, moves it back by its period (events since
  /// the overflow stay counted) and arms the interrupt again.
  void operator()(RegisterBus& bus, const pmu::EntryState& entry);
  [[nodiscard]] std::uint64_t samples() const { return next_index_; }

 private:
  struct Armed {
    pmu::RegisterId id;
    std::uint64_t period;   ///< as asked for
    std::uint64_t current;  ///< of the current sample
  };
  [[nodiscard]] bool overflowed(const Armed& counter, std::uint64_t value, std::uint64_t status) const;
  void sample(RegisterBus& bus, const pmu::EntryState& entry, std::size_t counter);

  const SamplingRule* rule_;
  std::vector<Armed> counters_;
  std::vector<std::pair<std::string, pmu::RegisterId>> latched_;
  std::vector<pmu::RegisterId> cleared_;
  pmu::RegisterId status_{};
  pmu::RegisterId rearm_{};
  Sink sink_;
  NextPeriod next_period_;
  std::uint64_t next_index_ = 0;
};

class Programming;

/// What samples the counters of one PMU.
struct SampledSetup {
  std::vector<RegisterWrite> writes;   ///< the system's, the start values of the counters, and those of `program`
  InterruptHandler handler;            ///< of the firmware, or a Sampler
  std::vector<RegisterWrite> presets;  ///< the start values among the writes; none with firmware
};
/// `program` makes the writes that select the events, the last of which enables the counters. Firmware latches nothing.
[[nodiscard]] SampledSetup sampled_setup(const models::Target& target, const models::Parameters& parameters,
                                         const std::vector<SampledCounter>& counters, const Sampler::Sink& sink,
                                         const Sampler::NextPeriod& next_period, const LatchedRegisters& latched,
                                         const std::function<void(Programming&)>& program);

}  // namespace pmusim::testbench
