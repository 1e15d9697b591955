// The ring of registers that records retired branches: the branch trace buffer of Itanium 2 (8 entries) and the
// execution trace buffer of Montecito (16 entries). decode_branch_ring() returns the branches of a ring.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

/// Selects the branches that a ring records. The numbers are the fields of PMC12 (Itanium 2) or PMC39 (Montecito).
struct BranchRingSetup {
  bool details = false;      ///< ds: entries contain prediction details instead of targets
  unsigned taken_mask = 0;   ///< tm: 1 not taken, 2 taken
  unsigned target_mask = 0;  ///< ptm: 1 wrong target, 2 correct
  unsigned path_mask = 0;    ///< ppm: 1 wrong direction, 2 correct
  unsigned type = 0;         ///< brt: 0 all, 1 IP-relative, 2 returns, 3 other indirect
  unsigned thread = 0;       ///< hardware thread whose branches are recorded
  // behaviours that the documents do not specify
  bool type_0_is_none = false;  ///< type 0 records nothing; else all branches
  bool omits_targets = true;    ///< no target entry if the target's window retires a branch in the next cycle
  bool records_rfi = true;      ///< rfi is recorded as an indirect branch
  bool first_untaken = false;   ///< in a cycle without a taken branch the first branch is recorded; else the last

  /// True if a branch can pass the filters.
  [[nodiscard]] bool records() const {
    return taken_mask != 0 && target_mask != 0 && path_mask != 0 && !(type == 0 && type_0_is_none);
  }
};

/// The ring's registers. The instruction pointer EAR (ip_ear.h) uses them, too.
struct BranchRingRegisters {
  static constexpr unsigned most = 16;        ///< entries of the larger ring
  std::array<std::uint64_t, most> entries{};  ///< 0 b, 1 mp, 3:2 slot, 63:4 address
  std::array<std::uint8_t, most> flags{};     ///< bit 0 b1, bit 1 bruflush
  unsigned size = 8;                          ///< number of entries in the family's ring
  unsigned next = 0;                          ///< index of the entry that is written next
  bool full = false;                          ///< the ring has wrapped
  unsigned writes = 0;                        ///< number of writes by hardware

  /// Writes the next entry, as the hardware does.
  void write(std::uint64_t entry, std::uint8_t flags_of_entry);
  /// Index of the entry written last, or nullopt.
  [[nodiscard]] std::optional<unsigned> last() const;
};

/// Layout of a family's index and flags registers: PMD16 (Itanium 2); PMD38 and PMD39 (Montecito).
struct RingLayout {
  unsigned entries;       ///< number of entries
  std::uint64_t next;     ///< index register: mask of the index of the next entry
  std::uint64_t full;     ///< index register: mask of the bit that is 1 after the ring has wrapped
  bool flags_with_index;  ///< the flags of the entries are in the index register; else in a flags register
  std::uint64_t flags;    ///< mask of an entry's flags
  /// Position of an entry's flags in their register.
  unsigned (*flags_shift)(unsigned entry);
};
/// The value of the index register, including the flags if it contains them.
[[nodiscard]] std::uint64_t index_word(const RingLayout& layout, const BranchRingRegisters& ring);
/// The value of the flags register.
[[nodiscard]] std::uint64_t flags_word(const RingLayout& layout, const BranchRingRegisters& ring);
/// A write to the index register by software.
void set_index(const RingLayout& layout, std::uint64_t value, BranchRingRegisters& ring);
/// A write to the flags register by software.
void set_flags(const RingLayout& layout, std::uint64_t value, BranchRingRegisters& ring);
/// The ring with these register values. `flags` is ignored if the index register contains the flags.
[[nodiscard]] BranchRingRegisters ring_of(const RingLayout& layout, std::span<const std::uint64_t> entries,
                                          std::uint64_t index, std::uint64_t flags = 0);

namespace ring {
inline constexpr std::uint64_t source = 1;        ///< b: 1 a branch (source entry), 0 the target of a branch
inline constexpr std::uint64_t mispredicted = 2;  ///< mp, in a source entry
inline constexpr unsigned slot_shift = 2;         ///< 2 bits: slot of the branch
inline constexpr std::uint64_t not_taken = 3;     ///< value of the slot bits: the branch was not taken
inline constexpr std::uint64_t valid_target = 2;  ///< mp in a target entry: the entry contains a target
inline constexpr std::uint64_t address = ~std::uint64_t{0xf};  ///< bits 63:4 of the bundle's address
/// b1, in an entry's flags: the branch was in the second bundle of its window.
inline constexpr std::uint8_t second_bundle = 1;
inline constexpr std::uint8_t back_end_flush = 2;  ///< bruflush: the back end detected the misprediction
/// Address bits of an entry with prediction details in bits 60:41.
inline constexpr std::uint64_t detail_address = 0xe000'01ff'ffff'fff0;
}  // namespace ring

/// Records the branches that its thread retires.
class BranchRing {
 public:
  BranchRingRegisters registers;  ///< as software reads them

  /// A ring of `size` entries that records nothing.
  explicit BranchRing(unsigned size) { registers.size = size; }
  /// Sets the configuration. Called after a write of the configuration or of the contents by software: a waiting target
  /// entry is dropped.
  void set(const BranchRingSetup& setup) {
    setup_ = setup;
    waiting_ = false;
  }
  /// Drops a waiting target entry.
  void forget() { waiting_ = false; }
  /// True if the ring cannot change.
  [[nodiscard]] bool idle() const { return !waiting_ && !setup_.records(); }
  /// As DataEar::advance(). A waiting target entry is written even while frozen.
  /// Appends a capture for every source entry.
  void advance(const activity::Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
               const Mode& mode, std::vector<Capture>& captures);

 private:
  struct Choice {
    Origin origin;
    bool taken = false;
    std::uint64_t target = 0;
    activity::Occurrence retired;  ///< the branch's retirement
  };
  [[nodiscard]] bool qualifies(const Origin& origin, const Tagger& tagger, const Mode& mode) const;
  void write_waiting();
  void record(const Choice& choice, Cycle at);

  BranchRingSetup setup_;
  bool waiting_ = false;  ///< a target entry is due in cycle waits_for_
  Cycle waits_for_ = 0;
  std::uint64_t target_ = 0;
};

/// A branch decoded from a ring.
struct RecordedBranch {
  /// The outcome of the prediction, and the part of the pipeline that detected a misprediction.
  enum class Outcome : std::uint8_t { correct, front_end_mispredicted, back_end_mispredicted };
  std::uint64_t bundle = 0;            ///< address of the branch's bundle
  bool taken = false;                  ///< the branch was taken
  unsigned slot = 0;                   ///< slot of a taken branch
  Outcome outcome = Outcome::correct;  ///< outcome of the prediction
  /// Address of the target bundle. Empty: not taken, the ring has no target entry, or the target is not yet known.
  std::optional<std::uint64_t> target = std::nullopt;
  friend bool operator==(const RecordedBranch&, const RecordedBranch&) = default;
};

/// The branches of a ring, oldest first. A target whose source has been overwritten is left out. If a branch's target
/// entry was omitted, its target is the window of the next branch, but this function does not fill it in.
[[nodiscard]] std::vector<RecordedBranch> decode_branch_ring(const BranchRingRegisters& ring);

}  // namespace pmusim::pmu::ia64
