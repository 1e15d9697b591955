// Interrupts of an Alpha's counters against the oracle: each belongs to the event that its period names and is taken
// where the skid says, and each profiled instruction of a 21264A is the one that was selected, entry by entry.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/driver/firmware.h"
#include "testbench/oracle/profile.h"
#include "testbench/pfm/code_map.h"
#include "testbench/pfm/processor.h"
#include "testbench/validate/interrupt_trials.h"
#include "testbench/validate/judge.h"

namespace pmusim::testbench {

/// When the processor takes the interrupts of one counter, from the cycles of its overflows: after the first cycle at
/// least `skid` cycles later outside PALcode at an IPL below 6, in a pipeline that issues in order; in one that does
/// not, the cycle also retires an instruction or lets a no-operation go, or the idle thread runs in it. Either way
/// something must have left before, or the clock stands. Overflows that come before that are merged with it.
///
/// Cycles are given for every `grain` events. A handler that presets the counter, whatever it finds there, makes the
/// next overflow come a multiple of the period after the one that asked, or after the counter's last wrap since.
class InterruptTimeline {
 public:
  struct Taken {
    Cycle requested = 0;
    Cycle cycle = 0;  ///< first one not executed
    std::uint64_t pc = 0;
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  /// In grains: from overflow to overflow as the handler presets it, and of the counter that is not preset.
  struct Period {
    std::uint64_t preset = 1, counter = 1;
  };
  InterruptTimeline(Cycle skid, bool in_order, Period period)
      : skid_(skid), in_order_(in_order), period_(period), next_(period.preset - 1) {}
  /// `grains`: of all blocks so far, in order.
  void consume(const Block& block, const std::vector<Cycle>& grains);
  [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
  [[nodiscard]] bool pending() const { return requested_.has_value(); }
  /// Overflows that came while a request stood.
  [[nodiscard]] std::uint64_t merged() const { return merged_; }

 private:
  void boundary(const Block& block, const std::vector<Cycle>& grains, Cycle at);
  Cycle skid_;
  bool in_order_;
  Period period_;
  bool retired_any_ = false;
  std::uint64_t next_;       ///< grain of the next overflow
  std::uint64_t asked_ = 0;  ///< ... of the one that asked for the interrupt
  std::optional<Cycle> requested_;
  std::uint64_t merged_ = 0;
  std::uint64_t successor_ = 0;  ///< of the instruction retired last
  std::vector<Taken> taken_;
};

/// One monitor whose only check is sampled.
class InterruptWatch {
 public:
  /// Throws std::invalid_argument for a counter that cannot have the period.
  InterruptWatch(const Task& task, const models::Target& target, const Group& group, const Answer& answer);
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  /// What programs the monitor; the watch has to outlive the run.
  [[nodiscard]] MonitorSetup setup();
  /// After the oracle's count of the block; `grains` as for InterruptTimeline.
  void consume(const Block& block, const std::vector<Cycle>& grains) { timeline_.consume(block, grains); }
  /// After the last block.
  void finish();
  [[nodiscard]] std::uint64_t samples() const { return got_.size(); }
  [[nodiscard]] std::uint64_t expected() const { return timeline_.taken().size(); }
  /// Requests without an interrupt of their own: merged with the one before, or still standing at the end.
  [[nodiscard]] std::uint64_t untaken() const { return timeline_.merged() + (timeline_.pending() ? 1 : 0); }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }
  /// Bits that the counter has: 8 with the period 256 under pmu.short_period=wraps.
  [[nodiscard]] std::uint64_t range() const { return range_; }

 private:
  InterruptTimeline timeline_;
  std::uint64_t range_ = ~std::uint64_t{0};
  std::vector<RegisterWrite> programming_;
  std::vector<InterruptTimeline::Taken> got_;
  std::unique_ptr<FirmwareSampler> sampler_;  ///< null: the hardware has the period, and the handler writes nothing
  unsigned number_ = 0;                       ///< of the counter
  std::vector<std::string> problems_;
};

/// The lives of all instructions, for any number of monitors that profile; what no sample needs any more is dropped.
class Lives {
 public:
  /// Parameters as for the list.
  Lives(Cycle overcounted, bool mispredicts_alone, bool squashed_aborts)
      : list_(overcounted, mispredicts_alone, squashed_aborts) {}
  void consume(const Block& block) {
    list_.consume(block);
    code_.consume(block);
  }
  void forget(Cycle before) { list_.forget(before); }
  [[nodiscard]] const oracle::ProfileList& list() const { return list_; }
  [[nodiscard]] const pfm::CodeMap& code() const { return code_; }

 private:
  oracle::ProfileList list_;
  pfm::CodeMap code_;
};

/// One monitor that profiles instructions for a statistic.
class ProfileWatch {
 public:
  ProfileWatch(const Task& task, const models::Target& target, const Group& group, const Answer& answer,
               const Lives& lives);
  ProfileWatch(const ProfileWatch&) = delete;
  ProfileWatch& operator=(const ProfileWatch&) = delete;
  [[nodiscard]] MonitorSetup setup();
  /// Judges what was sampled before `now`. Gives the cycle before which no life is asked for any more.
  Cycle judge_samples(Cycle now);
  /// After the last block: the sample that the registers hold, and what the statistic comes to.
  void finish(const MonitorResult& result);
  [[nodiscard]] std::uint64_t samples() const { return expected_.size(); }
  [[nodiscard]] std::uint64_t statistic() const { return expected_statistic_; }
  [[nodiscard]] std::uint64_t counted() const { return statistic_; }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  void judge(const pfm::ProfileMe& got, const oracle::Sample& expected, const std::string& when);
  void problem(std::string text);

  const Lives* lives_;
  std::string name_;
  unsigned number_ = 0;  ///< of the statistic
  bool only_mispredicts_retire_ = false;
  bool squashed_aborts_ = false;
  bool only_marked_ = false;    ///< instructions of unmarked processes are not sampled
  Cycle last_block_ = 0;        ///< first cycle of the last block
  std::uint64_t period_;        ///< the shortest
  std::uint64_t current_;       ///< of the sample under way
  std::uint64_t restarts_ = 0;  ///< periods differ, so that a loop is met in every place
  std::vector<RegisterWrite> programming_;
  std::unique_ptr<FirmwareSampler> sampler_;
  std::vector<Sample> pending_;     ///< taken and not judged
  std::optional<Cycle> selecting_;  ///< PCTR0 counts since this cycle
  std::vector<oracle::Sample> expected_;
  std::uint64_t added_ = 0, retired_ = 0;  ///< what the device makes of the registers
  std::uint64_t statistic_ = 0, expected_statistic_ = 0;
  std::vector<std::string> problems_;
};

/// The watches of a plan, by the number of their group.
class AlphaWatches final : public InterruptTrials {
 public:
  /// Both must outlive it.
  AlphaWatches(const Task& task, const models::Target& target);
  [[nodiscard]] MonitorSetup add(std::size_t group_number, std::size_t check, const Group& group,
                                 const Answer& answer) override;
  void consume(const Block& block, const Overflows& overflows) override;
  [[nodiscard]] Outcome finish(std::size_t group_number, const MonitorResult& result) override;

 private:
  struct Interrupts {
    std::size_t check = 0;
    std::unique_ptr<InterruptWatch> watch;
  };
  const Task& task_;
  const models::Target& target_;
  Lives lives_;
  std::map<std::size_t, Interrupts> interrupts_;
  std::map<std::size_t, std::unique_ptr<ProfileWatch>> profiles_;
};

}  // namespace pmusim::testbench
