// Interrupts that come again while nothing else happens: one period of them is gone through, the others are added.
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
  /// `tallies`: all that the taking of an interrupt changes outside of the monitor. They grow by as much in each
  /// period. Without them, or of a monitor that is not pmu::Recurring, nothing is left out.
  Recurrence(pmu::Follower& follower, std::vector<std::uint64_t*> tallies);

  /// Before a block is consumed.
  void begin(const Block& block);
  /// After an interrupt was taken.
  void taken(const Block& block);

 private:
  struct Moment {
    Cycle cycle;
    std::unique_ptr<pmu::Monitor> monitor;
    std::vector<std::uint64_t> values;  ///< of all that grows
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
  std::array<std::uint64_t, activity::state_count> levels_{};  ///< of the states meanwhile
  std::optional<Moment> earlier_;
  unsigned since_ = 0, most_since_ = 1;  ///< interrupts since then, and before another moment is noted
  std::optional<Period> period_;
};

}  // namespace pmusim::testbench
