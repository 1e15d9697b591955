// The expected contents of the event address registers and of the (branch) trace buffer: lists of captures, made from
// the activity. Events that count captures use the same lists.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/choices.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

/// One capture of an event address register.
struct Capture {
  activity::Cycle at = 0;
  std::uint64_t ip = 0;       ///< data: bundle of the instruction
  std::uint8_t slot = 0;      ///< data: its slot
  bool ip_known = false;      ///< data: the register marks the instruction as valid
  std::uint64_t address = 0;  ///< data address, or address of the fetch; see own_address
  bool own_address = true;    ///< false: a chk.a has no address, and the address of the previous capture stays
  std::uint64_t latency = 0;  ///< core cycles; cache captures only
  activity::ia64::Translation translation = activity::ia64::Translation::first_level;  ///< where it was found
};

/// Reads blocks in order and lists the captures of one register.
class CaptureList {
 public:
  virtual ~CaptureList() = default;
  virtual void consume(const activity::Block& block) = 0;
  [[nodiscard]] const std::vector<Capture>& captures() const { return captures_; }
  /// Discards all captures so far.
  void forget() { captures_.clear(); }

 protected:
  std::vector<Capture> captures_;
};

/// The register that a request for a row of DATA_EAR_* or L1I_EAR_* describes (a row of *_EVENTS: as it is armed), on a
/// core of two threads the register of thread pmu.thread. Throws std::invalid_argument for another event.
[[nodiscard]] std::unique_ptr<CaptureList> make_capture_list(const Request& request, const ParameterLookup& parameters,
                                                             std::string_view target);

/// A branch in the branch trace buffer.
struct RecordedBranch {
  enum class Outcome : std::uint8_t { right, front_end, back_end };  ///< what found a misprediction
  activity::Cycle at = 0;                                            ///< of its retirement
  std::uint64_t ip = 0;                                              ///< bundle
  std::uint8_t slot = 0;
  bool taken = false;
  Outcome outcome = Outcome::right;
  std::uint64_t window = 0;   ///< first bundle of its dispersal window
  std::uint64_t target = 0;   ///< bundle of its successor
  bool target_entry = false;  ///< the buffer gets an entry for the target
};

/// An entry of the buffer, decoded as by software.
struct BufferEntry {
  bool source = false;  ///< a branch; otherwise the target of the previous entry
  std::uint64_t bundle = 0;
  std::uint8_t slot = 3;  ///< source: 0 to 2; 3: not taken
  RecordedBranch::Outcome outcome = RecordedBranch::Outcome::right;
  friend bool operator==(const BufferEntry&, const BufferEntry&) = default;
};

/// What decides about the contents of the trace buffer of a target.
class TraceBuffer {
 public:
  TraceBuffer(const Request& request, const ParameterLookup& parameters, std::string_view target);

 protected:
  Request request_;
  Choices choices_;
  std::size_t entries_;
  activity::Cycle freeze_delay_;
};

/// Reads blocks in order and lists the branches that a request for BRANCH_EVENT or ETB_EVENT describes.
class BranchList : TraceBuffer {
 public:
  using TraceBuffer::TraceBuffer;
  void consume(const activity::Block& block);
  [[nodiscard]] const std::vector<RecordedBranch>& branches() const { return branches_; }
  /// All entries, from the first one on, that are written before the freeze by a counter that wrapped in cycle `wrap`.
  /// The buffer holds the last eight of them, on the Montecito sixteen. `stop`: the cycle before software reads the
  /// buffer, if that is earlier.
  [[nodiscard]] std::vector<BufferEntry> written_until(activity::Cycle wrap,
                                                       activity::Cycle stop = activity::never) const;
  /// The entries that the buffer holds, oldest first.
  [[nodiscard]] std::vector<BufferEntry> buffer_after(activity::Cycle wrap,
                                                      activity::Cycle stop = activity::never) const;
  /// Discards branches before cycle `before`, as software does when it clears the buffer.
  void forget(activity::Cycle before = activity::never);

 private:
  [[nodiscard]] bool wanted(const activity::Block& block, std::uint32_t ref, unsigned gates) const;
  void record(const activity::Block& block, std::uint32_t ref, activity::Cycle at);

  std::vector<RecordedBranch> branches_;
};

/// An entry of the Montecito's trace buffer in IP-EAR mode, in which it records retiring instructions.
struct TracedBundle {
  activity::Cycle at = 0;    ///< of its retirement
  std::uint64_t bundle = 0;  ///< address; of a cut entry only bits 63:12
  unsigned cycles = 0;       ///< cycles without retirement since the previous entry, at most 63
  bool flushed = false;      ///< the pipe was flushed since the previous entry
  bool cut_short = false;    ///< the buffer stopped before the end of its delay (early freeze)
  unsigned delay_left = 0;   ///< of a cut entry: remaining cycles of the delay
  friend bool operator==(const TracedBundle&, const TracedBundle&) = default;
};

/// Reads blocks in order and lists what retires at the levels of a request, on thread pmu.thread only.
class AddressTrace : TraceBuffer {
 public:
  using TraceBuffer::TraceBuffer;
  void consume(const activity::Block& block);
  /// The entries of the buffer, oldest first, after a counter wrapped in cycle `wrap` and the delay ended or was cut
  /// short: by a thread switch, by a trap, or in cycle `stop` by software or the monitor's interrupt.
  [[nodiscard]] std::vector<TracedBundle> buffer_after(activity::Cycle wrap,
                                                       activity::Cycle stop = activity::never) const;
  /// Discards entries and cuts before cycle `before`, as software does when it clears the buffer. The next entry then
  /// has no predecessor.
  void forget(activity::Cycle before);

 private:
  struct Retired {
    activity::Cycle at;
    std::uint64_t bundle;
    std::optional<activity::Cycle> last_flush;  ///< last cycle of the last flush that had ended by then
  };
  /// The thread loses the pipe, or takes a trap.
  struct Cut {
    activity::Cycle at;
    activity::Cycle later;  ///< the least number of cycles after the freeze at which this stops the buffer
  };
  /// Whether the thread has the pipe from this cycle on.
  struct Presence {
    activity::Cycle from;
    bool here;
  };
  [[nodiscard]] TracedBundle told(const Retired& retired, const Retired* before) const;
  [[nodiscard]] bool away_at(activity::Cycle at) const;

  std::vector<Retired> retired_;
  std::vector<Cut> cuts_;
  std::vector<Presence> presence_;
  activity::Cycle consumed_ = 0;
  std::optional<activity::Cycle> last_flush_;  ///< last cycle of the last flush that has ended
  std::optional<activity::Cycle> open_flush_;  ///< last cycle seen of a flush that has not ended
  activity::Cycle cleared_ = 0;                ///< software cleared the buffer before this cycle
};

}  // namespace pmusim::oracle
