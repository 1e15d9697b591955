// What a sample of a profiled instruction (ProfileMe) on the 21264A must hold, from the life of that instruction in the
// activity; and what the profiling tools' statistics make of samples. 21264/EV67 Hardware Reference Manual 5
// and 6.10.3, manual page pfm(7).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::oracle {

/// One profiled execution of an instruction. An instruction that is fetched again is another execution.
struct Sample {
  std::uint64_t id = 0;
  std::uint64_t pc = 0;         ///< its own, also where PMPC holds the entry of the flow that was entered instead
  std::uint32_t word = 0;       ///< its code when it was fetched; 0 on a wrong path whose code is not known
  bool pal = false;             ///< PALcode
  activity::Cycle fetched = 0;  ///< cycle of its fetch, in which it was selected
  activity::Cycle end = 0;      ///< cycle of its trap, retirement or kill, whichever is first
  bool retired = false;         ///< a trapping one by the type of its trap
  activity::alpha::Trap trap = activity::alpha::Trap::none;
  activity::alpha::Replay replay = activity::alpha::Replay::none;
  bool conditional_branch = false;
  bool squashed = false;      ///< leaves at map by itself: neither retires nor aborts (pmu.squashed_aborts)
  bool taken = false;         ///< conditional branches that are not mispredicted
  bool fill_stream = false;   ///< ICM
  bool map_stalled = false;   ///< PM_STALLED
  bool killed_early = false;  ///< PM_KILLED_BM
  unsigned overcount = 0;     ///< OVR: operations fetched after it before counter 0 changes its input
  activity::Cycle window_begin = 0, window_end = 0;  ///< [begin, end); empty if it ends before it begins
  std::uint64_t retires = 0;                         ///< instructions that retire in the window
  std::uint64_t delay = 0;                           ///< inum retire delay
  std::uint64_t bcache_misses = 0;                   ///< cycles with a miss or a long probe, three cycles early
  std::uint64_t replays = 0;                         ///< cycles with a replay trap in the window

  [[nodiscard]] std::uint64_t cycles() const { return window_end - window_begin; }
  /// Interrupts and faults of the instruction stream enter a flow of PALcode; there is no trap and PMPC says which.
  [[nodiscard]] bool redirected() const;
  [[nodiscard]] bool trapped() const { return trap != activity::alpha::Trap::none && !redirected(); }  ///< TRP
  [[nodiscard]] bool mispredicted() const { return trap == activity::alpha::Trap::mispredict; }
  /// MIS, which mispredicted jumps do not set.
  [[nodiscard]] bool branch_mispredicted() const { return mispredicted() && conditional_branch; }
};

/// Reads blocks in order and says which execution a counter of fetched instructions selects.
class ProfileList {
 public:
  /// `overcounted`: cycles after the fetch whose fetched instructions counter 0 still gets (pmu.overcount_cycles).
  /// `mispredicts_alone`: of those that trap no others retire (pmu.retiring_traps=mispredict).
  /// `squashed_aborts`: what is squashed at map is an abort (pmu.squashed_aborts=counted).
  explicit ProfileList(activity::Cycle overcounted = 1, bool mispredicts_alone = false, bool squashed_aborts = false)
      : overcounted_(overcounted), mispredicts_alone_(mispredicts_alone), squashed_aborts_(squashed_aborts) {}
  void consume(const activity::Block& block);
  /// The execution that a counter selects which counts fetched instructions from cycle `from` on and wraps with the
  /// `number`-th (1-based). None if it is not fetched or not at its end in what was read.
  [[nodiscard]] std::optional<Sample> sample(activity::Cycle from, std::uint64_t number) const;
  /// Drops what was fetched before a cycle; earlier cycles are not asked for again.
  void forget(activity::Cycle before);

 private:
  using Key = std::pair<activity::Cycle, std::uint64_t>;  ///< fetch, instruction: an execution
  struct Life {
    activity::InstructionRecord record;
    activity::alpha::Instruction half;
    activity::Cycle retired = activity::never, killed = activity::never, trapped = activity::never;
    activity::alpha::Trap trap = activity::alpha::Trap::none;
  };
  struct Fetch {
    activity::Cycle at;
    Key key;
  };
  struct Retires {
    activity::Cycle at;
    std::uint64_t amount;
  };
  Life& life_of(const activity::Block& block, std::uint32_t ref);
  void note_traps(const activity::Block& block, activity::Signal signal);

  activity::Cycle overcounted_;
  bool mispredicts_alone_;
  bool squashed_aborts_;
  std::map<Key, Life> lives_;
  std::vector<Fetch> fetches_;  ///< operations in the order of their fetch
  std::vector<Retires> retires_;
  std::vector<activity::Cycle> replays_, bcache_misses_;  ///< cycles, each once
};

/// What a statistic of the profiling tools (PF67_PM_...) adds for samples; those per retirement: the sum times 100,
/// cycles as they are, divided by the retired samples, 0 without any. Throws std::invalid_argument for another name.
[[nodiscard]] std::uint64_t statistic(std::string_view name, std::span<const Sample> samples);
/// All of them, in the order of their numbers from 1 on.
[[nodiscard]] std::vector<std::string_view> profile_statistics();

}  // namespace pmusim::oracle
