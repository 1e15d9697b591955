// One PMU on recorded activity, and all that software and pins show of it. Two programs are told apart by the first
// thing that differs, so what is seen is compared while it is made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/activity_log.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench::mutate {

/// What a PMU is given before the first cycle, in this order.
struct Program {
  std::vector<RegisterWrite> setup;      ///< of the run: breakpoints, interrupt vector
  std::vector<RegisterWrite> starts;     ///< start values of the counters
  std::vector<RegisterWrite> registers;  ///< of the encoder
};

/// What was seen, in order: at the end of every block and at every interrupt the values of all counters, status and
/// capture registers; pin edges; the cycles of overflow and of the handler's entry; refused writes.
using Observation = std::vector<std::uint64_t>;

class Replay {
 public:
  Replay(const models::Target& target, const models::Parameters& parameters, const ActivityLog& log);

  /// Every run begins with this monitor instead of one that was reset.
  void begin_with(const pmu::Monitor& monitor);
  /// The whole observation.
  [[nodiscard]] Observation observe(const Program& program);
  /// Whether the program shows anything else than `promised`; ends at the first difference.
  [[nodiscard]] bool differs(const Program& program, const Observation& promised);
  /// Values of the counters behind the last cycle, in the order of the model's registers.
  [[nodiscard]] std::vector<std::uint64_t> counts(const Program& program);

  [[nodiscard]] std::uint64_t cycles() const { return log_->cycles(); }

 private:
  class Witness;
  void run(const Program& program, Witness& witness);
  void program(const Program& program, Witness& witness);
  void look(Witness& witness);

  const ActivityLog* log_;
  std::unique_ptr<pmu::Monitor> fresh_;
  pmu::Follower follower_;
  std::vector<pmu::RegisterId> counters_;
  struct Observed {
    pmu::RegisterId id;
    std::uint64_t bits;
  };
  std::vector<Observed> observed_;
};

}  // namespace pmusim::testbench::mutate
