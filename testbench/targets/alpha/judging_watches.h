// Judges the interrupts of an Alpha's counters against the oracle: each must belong to the event that its period
// determines and be taken where the skid requires. Each profiled instruction of a 21264A must be the selected one,
// entry by entry.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/driver/firmware.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/judge/trial/trials.h"
#include "testbench/oracle/profile.h"
#include "testbench/pfm/machine.h"
#include "testbench/pfm/processor.h"

namespace pmusim::testbench {

/// Computes when the processor takes the interrupts of one counter from the cycles of its overflows. An in-order
/// pipeline takes an interrupt after the first cycle at least `skid` cycles later outside PALcode at an IPL below 6. On
/// an out-of-order pipeline this cycle must also retire an instruction or release a no-operation, or the idle thread
/// runs in it. In both cases an instruction must have left before, or the clock stands. Overflows before the interrupt
/// is taken are merged with it.
///
/// Cycles are given for every `grain` events. A handler that presets the counter, whatever its value, puts the next
/// overflow a multiple of the period after the requesting one, or after the counter's last wrap since.
class InterruptTimeline {
 public:
  struct Taken {
    Cycle requested = 0;
    Cycle cycle = 0;  ///< first one not executed
    std::uint64_t pc = 0;
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  /// In grains: the distance of overflows as preset by the handler, and that of a counter that is not preset.
  struct Period {
    std::uint64_t preset = 1, counter = 1;
  };
  InterruptTimeline(Cycle skid, bool in_order, Period period)
      : skid_(skid), in_order_(in_order), period_(period), next_(period.preset - 1) {}
  /// `grains`: of all blocks so far, in order.
  void consume(const Block& block, const std::vector<Cycle>& grains);
  [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
  [[nodiscard]] bool pending() const { return requested_.has_value(); }
  /// Overflows during a pending request.
  [[nodiscard]] std::uint64_t merged() const { return merged_; }

 private:
  void boundary(const Block& block, const std::vector<Cycle>& grains, Cycle at);
  Cycle skid_;
  bool in_order_;
  Period period_;
  bool retired_any_ = false;
  std::uint64_t next_;       ///< grain of the next overflow
  std::uint64_t asked_ = 0;  ///< the grain of the overflow that requested the interrupt
  std::optional<Cycle> requested_;
  std::uint64_t merged_ = 0;
  std::uint64_t successor_ = 0;  ///< of the instruction retired last
  std::vector<Taken> taken_;
};

/// One monitor whose only check is sampled.
class InterruptWatch {
 public:
  /// Throws std::invalid_argument for a counter that does not support the period.
  InterruptWatch(const Task& task, const models::Target& target, const Group& group, const Answer& answer);
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  /// The setup that programs the monitor; the watch must outlive the run.
  [[nodiscard]] MonitorSetup setup();
  /// Called after the oracle has counted the block; `grains` as for InterruptTimeline.
  void consume(const Block& block, const std::vector<Cycle>& grains) { timeline_.consume(block, grains); }
  /// Called after the last block.
  void finish();
  [[nodiscard]] std::uint64_t samples() const { return got_.size(); }
  [[nodiscard]] std::uint64_t expected() const { return timeline_.taken().size(); }
  /// Requests without an interrupt: merged with the previous one, or pending at the end.
  [[nodiscard]] std::uint64_t untaken() const { return timeline_.merged() + (timeline_.pending() ? 1 : 0); }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  InterruptTimeline timeline_;
  std::vector<RegisterWrite> programming_;
  std::vector<InterruptTimeline::Taken> got_;
  std::unique_ptr<FirmwareSampler> sampler_;  ///< null: the hardware has the period, and the handler writes nothing
  unsigned number_ = 0;                       ///< of the counter
  std::vector<std::string> problems_;
};

/// The life cycles of all instructions, shared by all monitors that profile. Those that no sample needs any more are
/// removed.
class Lives {
 public:
  /// The parameters are those of oracle::ProfileList.
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
  /// Judges the samples taken before `now`. Returns the cycle before which no life cycle is needed any more.
  Cycle judge_samples(Cycle now);
  /// After the last block: judges the sample in the registers and the value of the statistic.
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
  std::uint64_t current_;       ///< of the current sample
  std::uint64_t restarts_ = 0;  ///< periods vary, so that every position of a loop is sampled
  std::vector<RegisterWrite> programming_;
  std::unique_ptr<FirmwareSampler> sampler_;
  std::vector<Sample> pending_;     ///< taken but not judged
  std::optional<Cycle> selecting_;  ///< PCTR0 counts since this cycle
  std::vector<oracle::Sample> expected_;
  std::uint64_t added_ = 0, retired_ = 0;  ///< the values that the device computes from the registers
  std::uint64_t statistic_ = 0, expected_statistic_ = 0;
  std::vector<std::string> problems_;
};

/// The watches of a plan, by group number.
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
