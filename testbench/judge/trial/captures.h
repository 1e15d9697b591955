// Compares what event address registers and the branch buffer captured, sample by sample, with the oracle's lists.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/driver/sampling.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/oracle/captures.h"

namespace pmusim::testbench {

struct CaptureRegisters;
struct RingLayout;

/// A monitor whose unit freezes after each period of captures, so that a handler can read, clear and release it.
class CaptureWatch {
 public:
  /// Throws std::runtime_error for registers that the model does not have.
  CaptureWatch(const models::Parameters& parameters, const models::Target& target, const Group& group,
               const Answer& answer);
  CaptureWatch(const CaptureWatch&) = delete;
  CaptureWatch& operator=(const CaptureWatch&) = delete;

  /// The setup that programs the monitor. This object must outlive the run.
  [[nodiscard]] MonitorSetup setup();
  /// Replays the activity block by block after the run. The monitor's gates in the block are shut for the time during
  /// which the handler was pending, so that the oracle gets the same activity as the monitor.
  void consume(Block& block);
  /// After the last block: checks the final contents of the registers.
  void finish(const MonitorResult& result);

  [[nodiscard]] bool records_branches() const { return branches_ != nullptr; }
  /// The reference data of the samples are inconsistent.
  void blame(std::string problem) { problems_.push_back(std::move(problem)); }

  /// All samples, and the registers at the end.
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
  const CaptureRegisters& registers_;
  const RingLayout& ring_;
  Cycle freeze_delay_;
  std::uint64_t step_ = 1;    ///< captures between two freezes, as requested
  std::uint64_t data_stat_;   ///< stat of the data EAR in cache and ALAT mode
  std::uint64_t fetch_stat_;  ///< ... of the instruction EAR in cache mode
  std::vector<RegisterWrite> programming_;
  std::vector<Sample> samples_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<oracle::CaptureList> accesses_;
  std::unique_ptr<oracle::BranchList> branches_;
  std::unique_ptr<oracle::AddressTrace> trace_;
  std::unique_ptr<oracle::Counter> counter_;  ///< counts until the freeze of the address registers and the address
                                              ///< trace
  // during the replay
  std::size_t next_ = 0;                  ///< the next sample
  Cycle thawed_ = 0;                      ///< the monitor has been running since this cycle
  std::vector<Cycle> seen_;               ///< captures since then
  std::uint64_t wanted_ = 0;              ///< captures from then on until the counter wraps
  std::vector<oracle::Capture> pending_;  ///< of an address register, since then
  std::uint64_t kept_address_ = 0;        ///< of the last capture that had one
  std::uint64_t captured_ = 0;
  Cycle end_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace pmusim::testbench
