// The values of a PMU's counters as tracks of a timeline: the events counted since the last write to the register.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "testbench/cli/trace_events.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// A stretch in which a counter rises steadily is drawn with a fixed number of steps, however long it lasts.
class CounterTracks final : public pmu::Probe {
 public:
  /// `labels`: by number of the counter; an empty label means no track.
  CounterTracks(TraceEvents& out, unsigned process, std::vector<std::string> labels)
      : out_(&out), process_(process), labels_(std::move(labels)), counters_(labels_.size()) {}
  void looks_at(unsigned, activity::Signal, activity::State) override {}
  void left(unsigned counter, pmu::Step step, const pmu::Run& run) override;
  void named(unsigned, const pmu::Block&, activity::Signal, const pmu::Occurrence&, std::uint32_t) override {}
  void written(unsigned counter, std::uint64_t value) override;
  /// Writes everything up to now. Later reports have later cycles. `coarse`: at most a few steps per 1000 cycles.
  void flush(bool coarse);
  /// The same, followed by the final values.
  void finish();

 private:
  struct Change {
    pmu::Cycle begin, end;
    std::uint32_t n;  ///< increment per cycle; none: the counter was written
    bool written;
  };
  struct Counter {
    std::vector<Change> changes;
    std::uint64_t value = 0;
    pmu::Cycle at = 0;  ///< first cycle with that value
    std::uint64_t shown = std::numeric_limits<std::uint64_t>::max();
    pmu::Cycle shown_at = 0;
  };
  void show(std::size_t i);
  TraceEvents* out_;
  unsigned process_;
  std::vector<std::string> labels_;
  std::vector<Counter> counters_;
  pmu::Cycle now_ = 0;
};

}  // namespace pmusim::testbench
