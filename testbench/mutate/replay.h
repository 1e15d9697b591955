// Runs a PMU on recorded activity and observes everything that software and pins show. Two programs run side by side
// until the first difference.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/activity_log.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench::mutate {

/// The writes to a PMU before the first cycle, in this order.
struct Program {
  std::vector<RegisterWrite> setup;      ///< of the run: breakpoints, interrupt vector
  std::vector<RegisterWrite> starts;     ///< start values of the counters
  std::vector<RegisterWrite> registers;  ///< of the encoder
};

/// The observations in order: at the end of every block and at every interrupt the values of all counters, status and
/// capture registers; pin edges; the cycles of overflow and of the handler's entry; refused writes.
using Observation = std::vector<std::uint64_t>;

class Replay {
 public:
  Replay(const models::Target& target, const models::Parameters& parameters, const ActivityLog& log);

  /// Every run begins with this monitor instead of the reset state.
  void begin_with(const pmu::Monitor& monitor);

  /// The run of a program through the activity. The replay must outlive it.
  class Run {
   public:
    explicit Run(const Replay& replay) : replay_(&replay), follower_(replay.fresh_) {}
    /// Restarts the run. The program must outlive the run.
    void start(const Program& program);
    /// Advances until software reads the registers or takes an interrupt. False at the end.
    bool go_on();
    /// The observations so far.
    [[nodiscard]] const Observation& seen() const { return seen_; }
    [[nodiscard]] std::uint64_t value_of(pmu::RegisterId id) { return follower_.monitor().read(id, {}).value; }

   private:
    void write();
    void look();
    const Replay* replay_;
    const Program* program_ = nullptr;
    pmu::Follower follower_;
    std::size_t block_ = 0;
    Observation seen_;
  };

  /// True if the program's observations differ from those of `promised`, which is advanced as needed; ends at the first
  /// difference.
  [[nodiscard]] bool differs(const Program& program, Run& promised);
  /// Values of the counters after the last cycle, in the order of the model's registers.
  [[nodiscard]] std::vector<std::uint64_t> counts(const Program& program);

  [[nodiscard]] std::uint64_t cycles() const { return log_->cycles(); }

 private:
  const ActivityLog* log_;
  pmu::Follower fresh_;
  std::vector<pmu::RegisterId> counters_;
  struct Observed {
    pmu::RegisterId id;
    std::uint64_t bits;
  };
  std::vector<Observed> observed_;
  std::optional<Run> mutant_;
};

}  // namespace pmusim::testbench::mutate
