// ProfileMe of the 21264A: one fetched instruction is followed to its end. The sample has its outcome and the events
// that the counters count in its window. 21264/EV67 Hardware Reference Manual, section 6.10.3.
//
// Cycles of the running clock, with F the fetch of the instruction and E its end (retirement, or the trap that it takes
// or that kills it): the window is F + 5 to E + 2; the sample is available after the last cycle of the window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/activity/activity.h"
#include "models/alpha/counter.h"
#include "models/alpha/ev6/registers.h"

namespace pmusim::pmu::alpha {

/// The outcome of the instruction: the fields of I_STAT, PMPC and PCTR_CTL.
struct ProfileSample {
  std::uint64_t i_stat = 0;
  std::uint64_t pmpc = 0;
  std::uint64_t status = 0;  ///< PM_STALLED, PM_KILLED_BM, VAL, TAK of PCTR_CTL
};

class ProfileMe {
 public:
  static constexpr Cycle window_delay = 5;  ///< from the fetch to the first cycle of the window
  static constexpr Cycle window_tail = 2;   ///< from the end to the last cycle of the window
  static constexpr Cycle early_input = 3;   ///< cycles by which the Bcache input is ahead of the others

  enum class Phase : std::uint8_t { stopped, selecting, following };

  ProfileMe() = default;
  /// Starts to select the next instruction. I_STAT and PMPC keep their values.
  void arm() {
    const ProfileSample before = sample_;
    *this = ProfileMe(Phase::selecting);
    sample_ = {before.i_stat, before.pmpc, 0};
  }
  void stop() { phase_ = Phase::stopped; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] const ProfileSample& sample() const { return sample_; }

  /// Selecting: the result of the stretch [from, to). If an instruction is chosen, `to` becomes the cycle after its
  /// fetch.
  struct Selected {
    std::uint64_t fetched = 0;  ///< instructions that PCTR0 counts
    bool chosen = false;
  };
  Selected select(const activity::Block& block, Cycle from, Cycle& to, std::uint64_t left);

  /// Following: parts of the stretch [from, to), which is shortened to end with the last cycle of the window.
  struct Parts {
    Cycle residue_end;   ///< [from, residue_end): fetched instructions still count
    Cycle window_begin;  ///< [window_begin, window_end): the window
    Cycle window_end;
    Cycle early_begin;  ///< [early_begin, early_end): cycles of the early input
    Cycle early_end;
    bool last;  ///< the window ends with the stretch
  };
  Parts follow(const activity::Block& block, Cycle from, Cycle& to, Cycle overcount_cycles);
  /// The number of instructions that PCTR0 can still count between the fetch and the window; OVR holds the number
  /// counted.
  [[nodiscard]] std::uint64_t room() const {
    return ev6::i_stat::most_overcount - std::min(residue_, ev6::i_stat::most_overcount);
  }
  void overcounted(std::uint64_t instructions) { residue_ += instructions; }
  /// The clock was stopped for these cycles: the window, which is measured in cycles of the clock, lies later.
  void stand_still(Cycle cycles) {
    fetch_ += cycles;
    if (end_ != activity::never) end_ += cycles;
  }
  /// Completes the sample at the end of the window. Returns the cycles of retire delay that PCTR1 counts.
  std::uint64_t finish(bool only_mispredicts_retire);

  /// Instructions fetched in [from, to).
  [[nodiscard]] static std::uint64_t fetched(const activity::Block& block, Cycle from, Cycle to);

 private:
  explicit ProfileMe(Phase phase) : phase_(phase) {}
  void look_for_end(const activity::Block& block, Cycle from, Cycle to);
  void look_for_outcome(const activity::Block& block, Cycle from, Cycle to);
  [[nodiscard]] Cycle last_cycle() const;

  Phase phase_ = Phase::stopped;
  ProfileSample sample_;

  // The instruction that is followed.
  std::uint64_t id_ = 0;
  std::uint64_t pmpc_ = 0;
  bool conditional_ = false;
  bool fill_stream_ = false;
  bool taken_ = false;
  bool map_stalled_ = false;
  bool killed_early_ = false;
  bool dispatched_ = false;
  bool resolved_ = false;
  bool left_ = false;  ///< retired or killed
  std::uint64_t delay_ = 0;
  std::uint64_t residue_ = 0;
  Cycle fetch_ = 0;
  Cycle end_ = activity::never;
  bool retired_ = false;
  activity::alpha::Trap trap_ = activity::alpha::Trap::none;
  activity::alpha::Replay replay_ = activity::alpha::Replay::none;
};

}  // namespace pmusim::pmu::alpha
