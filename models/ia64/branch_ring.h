// The ring of registers that records retired branches: the branch trace buffer of Itanium 2 (8 entries) and the
// execution trace buffer of Montecito (16), and the way back from a ring to the branches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/ia64/capture.h"
#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

/// Which branches a ring records. The numbers are the fields of PMC12 (Itanium 2) or PMC39 (Montecito).
struct BranchRingSetup {
  bool details = false;      ///< ds: prediction details in the place of targets
  unsigned taken_mask = 0;   ///< tm: 1 not taken, 2 taken
  unsigned target_mask = 0;  ///< ptm: 1 wrong target, 2 correct
  unsigned path_mask = 0;    ///< ppm: 1 wrong direction, 2 correct
  unsigned type = 0;         ///< brt: 0 all, 1 IP-relative, 2 returns, 3 other indirect
  unsigned thread = 0;       ///< whose branches
  // choices
  bool type_0_is_none = false;     ///< choice: type 0 records nothing; else all branches
  bool omits_targets = true;       ///< no target entry when the target's window retires a branch at once
  bool not_taken_targets = false;  ///< not-taken branches write a target entry too
  bool records_rfi = false;        ///< as an indirect branch
  bool first_untaken = false;      ///< of a cycle without a taken branch the first is recorded; else the last
  bool untaken_neither = false;  ///< a branch that is not taken passes ptm = 3 only; else as one with the right target
  bool loses_frozen_target = false;  ///< a target entry that waits is not written once frozen

  /// Some branch can pass.
  [[nodiscard]] bool records() const {
    return taken_mask != 0 && target_mask != 0 && path_mask != 0 && !(type == 0 && type_0_is_none);
  }
};

/// The ring's registers, of `size` entries; the instruction pointer EAR (ip_ear.h) fills the same.
struct BranchRingRegisters {
  static constexpr unsigned most = 16;        ///< entries of the larger ring
  std::array<std::uint64_t, most> entries{};  ///< 0 b, 1 mp, 3:2 slot, 63:4 address
  std::array<std::uint8_t, most> flags{};     ///< bit 0 b1, bit 1 bruflush
  unsigned size = 8;                          ///< entries that the family has
  unsigned next = 0;                          ///< entry to be written next
  bool full = false;                          ///< has wrapped
  unsigned writes = 0;                        ///< made by hardware

  /// Writes the next entry, as the hardware does.
  void write(std::uint64_t entry, std::uint8_t flags_of_entry);
  /// The entry written last, or null.
  [[nodiscard]] std::optional<unsigned> last() const;
};

/// Where a family's registers have what goes with the entries: PMD16 (Itanium 2); PMD38 and PMD39 (Montecito).
struct RingLayout {
  unsigned entries;       ///< number of them
  std::uint64_t next;     ///< mask of the next entry's number in the index register
  std::uint64_t full;     ///< its bit there that says that the ring has wrapped
  bool flags_with_index;  ///< the flags of the entries are in the index register too
  std::uint64_t flags;    ///< mask of an entry's flags
  /// Place of an entry's flags in their register.
  unsigned (*flags_shift)(unsigned entry);
};
/// The index register's value, with the flags where they are in it.
[[nodiscard]] std::uint64_t index_word(const RingLayout& layout, const BranchRingRegisters& ring);
/// The flags' register's value.
[[nodiscard]] std::uint64_t flags_word(const RingLayout& layout, const BranchRingRegisters& ring);
/// Software writes the index register.
void set_index(const RingLayout& layout, std::uint64_t value, BranchRingRegisters& ring);
/// Software writes the flags' register.
void set_flags(const RingLayout& layout, std::uint64_t value, BranchRingRegisters& ring);
/// The ring that these registers show. One index register: `flags` is not looked at.
[[nodiscard]] BranchRingRegisters ring_of(const RingLayout& layout, std::span<const std::uint64_t> entries,
                                          std::uint64_t index, std::uint64_t flags = 0);

namespace ring {
inline constexpr std::uint64_t source = 1;        ///< b: the entry is a branch; clear: where one went
inline constexpr std::uint64_t mispredicted = 2;  ///< mp, of a branch
inline constexpr unsigned slot_shift = 2;         ///< 2 bits: slot of the branch
inline constexpr std::uint64_t not_taken = 3;     ///< in the slot's bits: the branch was not taken
inline constexpr std::uint64_t valid_target = 2;  ///< in a target entry: what it has is a target (mp as a valid bit)
inline constexpr std::uint64_t address = ~std::uint64_t{0xf};  ///< bits 63:4 of the bundle's address
inline constexpr std::uint8_t second_bundle =
    1;  ///< b1, of an entry's flags: the branch was in the second bundle of its window
inline constexpr std::uint8_t back_end_flush = 2;  ///< bruflush: the back end found the misprediction
/// Address bits of an entry that has prediction details in bits 60:41.
inline constexpr std::uint64_t detail_address = 0xe000'01ff'ffff'fff0;
}  // namespace ring

/// Records the branches that its thread retires.
class BranchRing {
 public:
  BranchRingRegisters registers;  ///< as software reads them

  /// Has `size` entries; nothing is recorded.
  explicit BranchRing(unsigned size) { registers.size = size; }
  /// A new configuration, or new contents from software: a target entry that waits is forgotten.
  void set(const BranchRingSetup& setup) {
    setup_ = setup;
    waiting_ = false;
  }
  /// A target entry that waits is not written.
  void forget() { waiting_ = false; }
  /// Nothing can change the ring.
  [[nodiscard]] bool idle() const { return !waiting_ && !setup_.records(); }
  /// As DataEar::advance(); a target entry that waits is usually written even when frozen. Appends a capture for every
  /// source entry.
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
  bool waiting_ = false;  ///< a target entry is to be written in cycle waits_for_
  Cycle waits_for_ = 0;
  std::uint64_t target_ = 0;
};

/// A branch as a ring tells it.
struct RecordedBranch {
  /// How a branch was predicted, and where a misprediction was found.
  enum class Outcome : std::uint8_t { correct, front_end_mispredicted, back_end_mispredicted };
  std::uint64_t bundle = 0;            ///< address of the branch's bundle
  bool taken = false;                  ///< where it went is not the next bundle
  unsigned slot = 0;                   ///< of the branch when taken
  Outcome outcome = Outcome::correct;  ///< how it was predicted
  /// Bundle that it went to. Empty: not taken, the ring has no entry for it, or it is not yet known.
  std::optional<std::uint64_t> target = std::nullopt;
  friend bool operator==(const RecordedBranch&, const RecordedBranch&) = default;
};

/// The branches of a ring, oldest first. A target whose source has been overwritten is left out; where a branch's
/// target entry was omitted its target is the window of the branch after it, which is not claimed here.
[[nodiscard]] std::vector<RecordedBranch> decode_branch_ring(const BranchRingRegisters& ring);

}  // namespace pmusim::pmu::ia64
