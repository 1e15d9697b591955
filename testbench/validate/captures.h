// What event address registers and the branch buffer took in, sample by sample, against the lists of the oracle.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/driver/sampling.h"
#include "testbench/oracle/captures.h"
#include "testbench/validate/judge.h"

namespace pmusim::testbench {

struct CaptureLayout;

/// One monitor whose unit a period of captures freezes, for a handler to read, clear and let go.
class CaptureWatch {
 public:
  /// Throws std::runtime_error for registers that the model has not.
  CaptureWatch(const models::Parameters& parameters, const models::Target& target, const Group& group,
               const Answer& answer);
  CaptureWatch(const CaptureWatch&) = delete;
  CaptureWatch& operator=(const CaptureWatch&) = delete;

  /// What programs the monitor; the watch has to outlive the run.
  [[nodiscard]] MonitorSetup setup();
  /// Shows the activity once more, block by block, when the monitor has run. Meanwhile the monitor's gates in the block
  /// are shut for as long as the handler was waited for, so that the oracle sees what the monitor saw.
  void consume(Block& block);
  /// After the last block: what the registers were left with.
  void finish(const MonitorResult& result);

  [[nodiscard]] bool records_branches() const { return branches_ != nullptr; }
  /// Something is wrong with what the samples are compared with.
  void blame(std::string problem) { problems_.push_back(std::move(problem)); }

  /// Every sample, and the registers at the end.
  [[nodiscard]] std::uint64_t comparisons() const { return samples_.size() + 1; }
  [[nodiscard]] std::uint64_t samples() const { return samples_.size(); }
  /// Captures of the running monitor.
  [[nodiscard]] std::uint64_t captures() const { return captured_; }
  /// One sentence for each comparison that failed.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  using Read = std::function<std::uint64_t(std::string_view)>;
  [[nodiscard]] activity::StateColumn shut(const Block& block, activity::State status) const;
  void note(Cycle from, Cycle to);
  /// `taken`: last cycle before the handler ran.
  void judge(const Read& read, std::optional<Cycle> wrap, Cycle taken, const std::string& when);
  [[nodiscard]] std::string wrong_access(const Read& read);
  [[nodiscard]] std::string wrong_branches(const Read& read, Cycle wrap, Cycle taken) const;
  [[nodiscard]] std::string wrong_trace(const Read& read, Cycle wrap, Cycle taken) const;

  Captures unit_;
  const CaptureLayout& layout_;
  Cycle freeze_delay_;
  std::uint64_t step_ = 1;    ///< captures that the counter is asked for at a time
  std::uint64_t data_stat_;   ///< stat of the data EAR in cache and ALAT mode
  std::uint64_t fetch_stat_;  ///< ... of the instruction EAR in cache mode
  std::vector<RegisterWrite> programming_;
  std::vector<Sample> samples_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<oracle::CaptureList> accesses_;
  std::unique_ptr<oracle::BranchList> branches_;
  std::unique_ptr<oracle::AddressTrace> trace_;
  std::unique_ptr<oracle::Counter> counter_;  ///< what freezes the address registers and the address trace
  // while the activity is shown again
  std::size_t next_ = 0;                  ///< sample that comes next
  Cycle thawed_ = 0;                      ///< the monitor runs since this cycle
  std::vector<Cycle> seen_;               ///< captures since then
  std::uint64_t wanted_ = 0;              ///< captures that the counter needs from then on to wrap
  std::vector<oracle::Capture> pending_;  ///< of an address register, since then
  std::uint64_t kept_address_ = 0;        ///< of the last capture that had one
  std::uint64_t captured_ = 0;
  Cycle end_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace pmusim::testbench
