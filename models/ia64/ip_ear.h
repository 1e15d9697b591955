// The instruction pointer event address register of Montecito: the ring tells the cycles in which the thread retired
// something, instead of its branches; and the way back from a ring to them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/ia64/branch_ring.h"

namespace pmusim::pmu::ia64 {

/// How the ring records retirement. The numbers are the fields of PMC42.
struct IpEarSetup {
  bool on = false;      ///< it records
  unsigned delay = 0;   ///< cycles that the ring goes on after a freeze of the monitor
  unsigned thread = 0;  ///< whose retirement
  // choices
  bool any_mode = false;            ///< every mode but 0 is on; else 4 alone
  bool yields_to_branches = false;  ///< off while the ring is to record branches
  bool per_bundle = false;          ///< an entry for every bundle that retires; else one a cycle
  bool counts_distance = false;     ///< cycles from entry to entry; else the bubbles between them
  bool ignores_cuts = false;        ///< nothing cuts the delay short
  bool own_flushes = false;         ///< f tells flushes by branches only
};

/// Fields of an entry: PMD48 to PMD63, and its four bits of PMD39.
namespace ip_entry {
inline constexpr std::uint64_t ip = (std::uint64_t{1} << 60) - 1;  ///< address bits 63:4
/// From the field's lowest bit to that of the address: the address has no bits 3:0.
inline constexpr unsigned ip_shift = 4;
inline constexpr unsigned cycles_shift = 60;      ///< lowest bit of the cycles' bits 3:0
inline constexpr std::uint64_t delay = 0xff;      ///< with early_freeze: in the place of address bits 11:4
inline constexpr std::uint64_t most_cycles = 63;  ///< the field holds no more: that many or more
inline constexpr unsigned low_cycle_bits = 4;     ///< bits of the cycles in the entry; the rest is in PMD39
inline constexpr std::uint8_t high_cycles = 3;    ///< PMD39: bits 5:4 of the cycles
inline constexpr std::uint8_t flushed = 4;        ///< f: the pipeline was flushed since the entry before
inline constexpr std::uint8_t early_freeze = 8;   ///< ef: the ring stopped before the delay was over
}  // namespace ip_entry

/// Records the cycles in which its thread retires something.
class IpEar {
 public:
  /// A new configuration: its first entry has nothing before it.
  void set(const IpEarSetup& setup) {
    setup_ = setup;
    forget();
  }
  /// Software has written the ring: the next entry has nothing before it.
  void forget() {
    previous_.reset();
    in_flush_ = flushed_ = false;
  }
  /// Nothing can change the ring.
  [[nodiscard]] bool idle() const { return !setup_.on; }
  /// The monitor freezes: `from` is the first frozen cycle.
  void freeze(Cycle from) { until_ = from + setup_.delay; }
  /// The ring stops before cycle `now`: what remains of the delay goes into the last entry.
  void cut(Cycle now, BranchRingRegisters& ring);
  /// Software has written the freeze bit: no delay is under way any more.
  void settle() { until_ = 0; }
  /// As DataEar::advance(); `foreground`: the thread is active.
  void advance(const activity::Block& block, Cycle from, Cycle to, bool runs, bool frozen, bool foreground,
               BranchRingRegisters& ring);

 private:
  void record(const activity::Block& block, Cycle from, Cycle to, BranchRingRegisters& ring);
  void write(std::uint64_t ip, Cycle at, BranchRingRegisters& ring);
  void note_flushes(const activity::Block& block, Cycle from, Cycle to);

  IpEarSetup setup_;
  Cycle until_ = 0;                ///< while frozen: first cycle that is not recorded
  std::optional<Cycle> previous_;  ///< cycle of the last entry
  // A flush is seen where groups are dispersed, before what is older than it has retired: it is told with the first
  // entry after its end.
  bool in_flush_ = false;
  bool flushed_ = false;  ///< one has ended since the last entry
};

/// A cycle of retirement as a ring tells it.
struct RetiredGroup {
  std::uint64_t bundle = 0;  ///< address of the group's first bundle; of an early freeze its bits 63:12
  unsigned cycles = 0;       ///< bubbles after the entry before; 63: that many or more
  bool flushed = false;      ///< the pipeline was flushed between the two: this is the first group after the flush
  /// Cycles of the freeze's delay that were left when the ring stopped. Empty: it did not stop early here.
  std::optional<unsigned> early_freeze = std::nullopt;
  friend bool operator==(const RetiredGroup&, const RetiredGroup&) = default;
};

/// The entries of a ring, oldest first.
[[nodiscard]] std::vector<RetiredGroup> decode_ip_ear(const BranchRingRegisters& ring);

}  // namespace pmusim::pmu::ia64
