// The expected sample of a profiled instruction (ProfileMe) on the 21264A, from the life of that instruction in the
// activity; and the statistics that profiling tools make of samples. 21264/EV67 Hardware Reference Manual 5 and 6.10.3,
// manual page pfm(7).
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

/// One profiled execution of an instruction. A refetched instruction is another execution.
struct Sample {
  std::uint64_t id = 0;
  std::uint64_t pc = 0;         ///< its own, even if PMPC holds the entry of a PALcode flow
  std::uint32_t word = 0;       ///< its code at the fetch; 0 on a wrong path with unknown code
  bool pal = false;             ///< PALcode
  activity::Cycle fetched = 0;  ///< cycle of its fetch, at which it was selected
  activity::Cycle end = 0;      ///< cycle of its trap, retirement or kill, whichever is first
  bool retired = false;         ///< the type of its trap, if it traps
  activity::alpha::Trap trap = activity::alpha::Trap::none;
  activity::alpha::Replay replay = activity::alpha::Replay::none;
  bool conditional_branch = false;
  bool squashed = false;      ///< removed at map: neither retires nor aborts (pmu.squashed_aborts)
  bool taken = false;         ///< for conditional branches that are not mispredicted
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
  /// Interrupts and faults of the instruction stream enter a PALcode flow. There is no trap type; PMPC identifies them.
  [[nodiscard]] bool redirected() const;
  [[nodiscard]] bool trapped() const { return trap != activity::alpha::Trap::none && !redirected(); }  ///< TRP
  [[nodiscard]] bool mispredicted() const { return trap == activity::alpha::Trap::mispredict; }
  /// MIS. Mispredicted jumps do not set it.
  [[nodiscard]] bool branch_mispredicted() const { return mispredicted() && conditional_branch; }
};

/// Reads blocks in order and determines which execution a counter of fetched instructions selects.
class ProfileList {
 public:
  /// `overcounted`: cycles after the fetch whose fetched instructions still count in counter 0 (pmu.overcount_cycles).
  /// `mispredicts_alone`: of the trapping instructions only mispredicted ones retire (pmu.retiring_traps=mispredict).
  /// `squashed_aborts`: an instruction squashed at map is an abort (pmu.squashed_aborts=counted).
  explicit ProfileList(activity::Cycle overcounted = 1, bool mispredicts_alone = false, bool squashed_aborts = false)
      : overcounted_(overcounted), mispredicts_alone_(mispredicts_alone), squashed_aborts_(squashed_aborts) {}
  void consume(const activity::Block& block);
  /// The execution selected by a counter that counts fetched instructions from cycle `from` on and wraps at the
  /// `number`-th (1-based). None if it was not fetched or did not end in what was read.
  [[nodiscard]] std::optional<Sample> sample(activity::Cycle from, std::uint64_t number) const;
  /// Discards instructions fetched before a cycle. Later calls do not ask for earlier cycles.
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

/// The value of a statistic of the profiling tools (PF67_PM_...) over samples. Statistics per retirement are the sum
/// times 100, cycles are the plain sum, divided by the number of retired samples; 0 without any. Throws
/// std::invalid_argument for another name.
[[nodiscard]] std::uint64_t statistic(std::string_view name, std::span<const Sample> samples);
/// All of them, in the order of their numbers, from 1.
[[nodiscard]] std::vector<std::string_view> profile_statistics();

}  // namespace pmusim::oracle
