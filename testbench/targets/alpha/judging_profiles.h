// Judges the profiled instructions of a 21264A: each must be the selected one, entry by entry.
#pragma once

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
  [[nodiscard]] InterruptTrials::Outcome finish(const MonitorResult& result);

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
  std::vector<std::string> problems_;
};

}  // namespace pmusim::testbench
