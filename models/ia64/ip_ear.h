// The instruction pointer event address register (IP-EAR) of Montecito: the ring records the cycles in which the thread
// retired instructions, instead of its branches. decode_ip_ear() returns the entries of a ring.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/ia64/branch_ring.h"

namespace pmusim::pmu {
class StateCursor;
}

namespace pmusim::pmu::ia64 {

/// Settings of the IP-EAR. The numbers are the fields of PMC42.
struct IpEarSetup {
  bool on = false;      ///< the ring records retirement
  unsigned delay = 0;   ///< cycles that the ring still records after a freeze of the monitor
  unsigned thread = 0;  ///< hardware thread whose retirement is recorded
  // behaviours that the documents do not specify
  bool yields_to_branches = false;  ///< off while the ring is configured to record branches
  bool per_bundle = false;          ///< one entry per retiring bundle; else one per cycle
  bool counts_distance = false;     ///< `cycles` is the distance of two entries; else the bubbles between them
};

/// Fields of an entry: PMD48 to PMD63, and its four bits of PMD39.
namespace ip_entry {
inline constexpr std::uint64_t ip = (std::uint64_t{1} << 60) - 1;  ///< address bits 63:4
/// Shift from an address to the field, which does not contain address bits 3:0.
inline constexpr unsigned ip_shift = 4;
inline constexpr unsigned cycles_shift = 60;      ///< position of bits 3:0 of the cycles
inline constexpr std::uint64_t delay = 0xff;      ///< with early_freeze: remaining delay, replaces address bits 11:4
inline constexpr std::uint64_t most_cycles = 63;  ///< largest value of the cycles: 63 or more
inline constexpr unsigned low_cycle_bits = 4;     ///< number of cycle bits in the entry; PMD39 has the upper ones
inline constexpr std::uint8_t high_cycles = 3;    ///< PMD39: bits 5:4 of the cycles
inline constexpr std::uint8_t flushed = 4;        ///< f: the pipeline was flushed since the previous entry
inline constexpr std::uint8_t early_freeze = 8;   ///< ef: the ring stopped before the end of the delay
}  // namespace ip_entry

/// Records the cycles in which its thread retires instructions.
class IpEar {
 public:
  /// Sets the configuration. The next entry has no predecessor.
  void set(const IpEarSetup& setup) {
    setup_ = setup;
    forget();
  }
  /// Called after software wrote the ring: the next entry has no predecessor.
  void forget() {
    previous_.reset();
    in_flush_ = flushed_ = false;
  }
  /// True if the IP-EAR cannot change the ring.
  [[nodiscard]] bool idle() const { return !setup_.on; }
  /// The monitor freezes: `from` is the first frozen cycle.
  void freeze(Cycle from) { until_ = from + setup_.delay; }
  /// The ring stops before cycle `now`: the remaining delay is stored in the last entry.
  void cut(Cycle now, BranchRingRegisters& ring);
  /// Called after software wrote the freeze bit: ends the delay.
  void settle() { until_ = 0; }
  /// As DataEar::advance(); `foreground`: the thread is active.
  void advance(const activity::Block& block, Cycle from, Cycle to, bool runs, bool frozen, bool foreground,
               BranchRingRegisters& ring);

 private:
  void record(const activity::Block& block, Cycle from, Cycle to, BranchRingRegisters& ring);
  void write(std::uint64_t ip, Cycle at, BranchRingRegisters& ring);
  void note_flushes(StateCursor& back_end, Cycle from, Cycle to);

  IpEarSetup setup_;
  Cycle until_ = 0;                ///< while frozen: first cycle that is not recorded
  std::optional<Cycle> previous_;  ///< cycle of the last entry
  // A flush appears at dispersal, before older instructions have retired. It is reported with the first entry after its
  // end.
  bool in_flush_ = false;
  bool flushed_ = false;  ///< a flush has ended since the last entry
};

/// A cycle of retirement decoded from a ring.
struct RetiredGroup {
  std::uint64_t bundle = 0;  ///< address of the group's first bundle; with early_freeze only bits 63:12
  unsigned cycles = 0;       ///< bubbles since the previous entry; 63: 63 or more
  bool flushed = false;      ///< the pipeline was flushed since the previous entry: first group after the flush
  /// Cycles of the freeze delay that remained when the ring stopped. Empty: the ring did not stop early here.
  std::optional<unsigned> early_freeze = std::nullopt;
  friend bool operator==(const RetiredGroup&, const RetiredGroup&) = default;
};

/// The entries of a ring, oldest first.
[[nodiscard]] std::vector<RetiredGroup> decode_ip_ear(const BranchRingRegisters& ring);

}  // namespace pmusim::pmu::ia64
