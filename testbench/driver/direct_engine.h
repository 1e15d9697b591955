// PMUs that are called directly, without SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/pmu/follower.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/engine.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// Skips interrupts that recur while nothing else happens: one period is simulated, the others are added up.
class Recurrence {
 public:
  /// `tallies`: everything outside of the monitor that taking an interrupt changes. It grows by the same amount in each
  /// period. Without tallies, or if the monitor is not pmu::Recurring, nothing is skipped.
  Recurrence(pmu::Follower& follower, std::vector<std::uint64_t*> tallies);

  /// Before a block is consumed.
  void begin(const Block& block);
  /// After an interrupt was taken.
  void taken(const Block& block);

 private:
  struct Moment {
    Cycle cycle;
    std::unique_ptr<pmu::Monitor> monitor;
    std::vector<std::uint64_t> values;  ///< of all values that grow
  };
  struct Period {
    Cycle cycles;
    std::vector<std::uint64_t> growth;
  };
  [[nodiscard]] std::vector<std::uint64_t*> growing() const;
  void look_around(const Block& block, Cycle at);
  void note(const Block& block);
  void forget();
  void jump();

  pmu::Follower& follower_;
  std::vector<std::uint64_t*> tallies_;
  Cycle constant_from_ = 0, constant_until_ = 0;               ///< nothing happens in these cycles of the block
  std::array<std::uint64_t, activity::state_count> levels_{};  ///< values of the states in that stretch
  std::optional<Moment> earlier_;
  unsigned since_ = 0, most_since_ = 1;  ///< interrupts since then, before another reference moment is taken
  std::optional<Period> period_;
};

/// Register access to a PMU that is called directly instead of clocked.
class DirectBus final : public RegisterBus {
 public:
  /// The follower must outlive this object and must not move.
  explicit DirectBus(pmu::Follower& follower) : follower_(follower) {}
  pmu::AccessResult try_read(pmu::RegisterId id) override { return follower_.monitor().read(id, {}); }
  pmu::AccessResult try_write(pmu::RegisterId id, std::uint64_t value) override {
    const pmu::AccessResult result = follower_.monitor().write(id, value, {});
    follower_.written();
    return result;
  }
  [[nodiscard]] const pmu::Monitor& monitor() const override { return follower_.monitor(); }

 private:
  pmu::Follower& follower_;
};

/// A PMU that processes each block on its own and calls handlers where it stops.
class DirectMonitor {
 public:
  DirectMonitor(EngineMonitor parts, bool counter_reads_allowed, Cycle first_cycle)
      : follower_(std::move(parts.monitor), counter_reads_allowed),
        taken_(std::move(parts.taken)),
        accessed_(std::move(parts.accessed)),
        recurrence_(follower_, std::move(parts.tallies)) {
    follower_.start_at(first_cycle);
  }
  void consume(const Block& block) {
    recurrence_.begin(block);
    while (follower_.consumed() < block.end) {
      if (!follower_.advance(block, block.end).taking) continue;
      taken_(follower_.take(block));
      recurrence_.taken(block);
    }
    for (const pmu::AccessReport& report : follower_.take_reports()) accessed_(report);
  }
  pmu::Follower& follower() { return follower_; }
  RegisterBus& bus() { return bus_; }

 private:
  pmu::Follower follower_;
  DirectBus bus_{follower_};
  std::function<void(const pmu::EntryState&)> taken_;
  std::function<void(const pmu::AccessReport&)> accessed_;
  Recurrence recurrence_;
};

/// A session that a caller advances a number of cycles at a time: a core on its traces, and one PMU.
class Stepper {
 public:
  /// A trace for each hardware thread. Of the options: warmup, region, block_cycles and counter_reads_allowed.
  Stepper(const models::Target& target, const models::Parameters& parameters,
          std::vector<std::unique_ptr<trace::Reader>> traces, const SessionOptions& options = {});
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  [[nodiscard]] RegisterBus& bus() { return bus_; }
  [[nodiscard]] const pmu::Follower& follower() const { return follower_; }
  /// First cycle not executed.
  [[nodiscard]] Cycle now() const { return follower_.consumed(); }
  /// Whether trace or region have ended and nothing is in flight.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Runs for `cycles`, or fewer: to the end of the trace, or to an interrupt that the processor takes; its handler
  /// runs now.
  std::optional<pmu::EntryState> advance(Cycle cycles);
  /// Accesses of the program to PMU registers since the last call.
  [[nodiscard]] std::vector<pmu::AccessReport> take_reports() { return follower_.take_reports(); }

 private:
  CoreSource source_;
  pmu::Follower follower_;
  DirectBus bus_{follower_};
  Cycle block_cycles_;
  const Block* block_ = nullptr;
  bool ended_ = false;
};

}  // namespace pmusim::testbench
