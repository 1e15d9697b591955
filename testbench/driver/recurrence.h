// Skips interrupts that recur while nothing else happens: one period is simulated, the others are added up.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/pmu/follower.h"

namespace pmusim::testbench {

using activity::Block;
using activity::Cycle;

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

}  // namespace pmusim::testbench
