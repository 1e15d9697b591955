// The tags of one cache: which lines it holds, in which state, and which line is replaced next. It holds no data and
// has no notion of time; the core decides when a lookup, a fill or an eviction happens.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/activity/signals.h"

namespace pmusim::core {

using activity::LineState;

/// How the way to replace is chosen when no way of the set is empty.
enum class Replacement : std::uint8_t {
  lru,         ///< true least recently used
  pseudo_lru,  ///< binary tree, one bit a node (a set of 8 ways has 7 bits); ways must be a power of two
};

inline constexpr unsigned max_sectors = 4;

/// Geometry of a cache. Sets, line and sectors must be powers of two.
struct CacheShape {
  std::uint32_t sets = 1;
  std::uint32_t ways = 1;
  std::uint32_t line_bytes = 64;
  std::uint32_t sectors = 1;  ///< parts of a line with their own state, at most max_sectors
  Replacement replacement = Replacement::lru;
  /// 0: indexed with the physical address. Otherwise log2 of the page size: index bits from there up come
  /// from the virtual address, and one physical line may sit in several sets (aliases).
  std::uint32_t virtual_index_from = 0;
  /// False: pseudo-LRU bits alone choose the way, full or empty, and they choose next what has been invalidated.
  bool prefers_empty_way = true;
};

/// A cache of this size with LRU; one line if there is no such cache (0 bytes).
[[nodiscard]] constexpr CacheShape shape_of(std::uint64_t bytes, std::uint64_t ways, std::uint64_t line) {
  if (bytes == 0) return {.line_bytes = static_cast<std::uint32_t>(line)};
  return {.sets = static_cast<std::uint32_t>(bytes / (ways * line)),
          .ways = static_cast<std::uint32_t>(ways),
          .line_bytes = static_cast<std::uint32_t>(line)};
}

/// A line that was replaced, with the states of its sectors.
struct Victim {
  std::uint64_t address = 0;  ///< physical, of the first byte of the line
  std::array<LineState, max_sectors> states{};
  bool valid = false;  ///< something valid left
};

/// Modified or owned: memory does not have this data.
[[nodiscard]] constexpr bool is_dirty(LineState s) { return s == LineState::modified || s == LineState::owned; }

/// Detail of Signal::line_evict: the cache, the state of the line that leaves it, and the reason.
[[nodiscard]] constexpr std::uint16_t evict_detail(unsigned cache, LineState state, unsigned why) {
  return static_cast<std::uint16_t>(cache | static_cast<unsigned>(state) << activity::detail::evict_state_shift | why);
}
/// Detail of Signal::line_fill, without the side: the state that L2 had, and the one that L1 gets.
[[nodiscard]] constexpr std::uint16_t fill_detail(LineState found, LineState installed) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(found) << activity::detail::fill_found_shift |
                                    static_cast<unsigned>(installed) << activity::detail::fill_installed_shift);
}

class Cache {
 public:
  /// Place of a line, or none. Valid until the line is evicted.
  using Slot = std::uint32_t;
  static constexpr Slot none = ~Slot{0};

  /// Throws std::invalid_argument for an impossible shape.
  explicit Cache(const CacheShape& shape);

  [[nodiscard]] const CacheShape& shape() const { return shape_; }
  /// First byte of the line that holds `address`.
  [[nodiscard]] std::uint64_t line_of(std::uint64_t address) const { return address & ~line_mask_; }

  /// Slot whose tag matches, looked up in the set that `virtual_address` selects. Changes nothing. With
  /// sectors, a matching tag does not mean that the addressed sector is valid: ask state().
  [[nodiscard]] Slot find(std::uint64_t virtual_address, std::uint64_t physical) const {
    const std::uint64_t tag = physical >> line_shift_;
    const std::size_t first = std::size_t{set_of(virtual_address, physical)} * shape_.ways;
    for (std::size_t i = first; i < first + shape_.ways; ++i) {
      if (tags_[i] == tag) return static_cast<Slot>(i);
    }
    return none;
  }
  [[nodiscard]] Slot find(std::uint64_t physical) const { return find(physical, physical); }
  /// Slot of a physical line under any virtual index but `except` (a snoop passes none). Changes nothing.
  [[nodiscard]] Slot find_anywhere(std::uint64_t physical, Slot except = none) const;

  /// A processor access: find(), and if the addressed sector is valid the line becomes the most recently
  /// used of its set. Returns the sector's state; invalid means a miss.
  LineState lookup(std::uint64_t virtual_address, std::uint64_t physical) {
    const Slot slot = find(virtual_address, physical);
    const LineState found = state(slot, physical);
    if (found != LineState::invalid) touch(slot);
    return found;
  }
  LineState lookup(std::uint64_t physical) { return lookup(physical, physical); }

  /// State of the sector that holds `physical` in a slot; invalid for `none`.
  [[nodiscard]] LineState state(Slot slot, std::uint64_t physical) const {
    return slot == none ? LineState::invalid : states_[sector_index(slot, physical)];
  }
  /// State of a line's sector, physically indexed or under any alias; changes nothing. What a snoop sees.
  [[nodiscard]] LineState snoop(std::uint64_t physical) const { return state(find_anywhere(physical), physical); }
  /// Slot of the line in this way of the set of a physical address, or none. Changes nothing.
  [[nodiscard]] Slot line_in_way(std::uint64_t physical, std::uint32_t way) const {
    const Slot slot = set_of(physical, physical) * shape_.ways + way;
    return tags_[slot] == empty ? none : slot;
  }
  /// Changes the state of a sector that is there; setting the last valid one to invalid frees the line.
  void set_state(Slot slot, std::uint64_t physical, LineState state);
  /// Makes the line the most recently used of its set.
  void touch(Slot slot) {
    if (shape_.replacement == Replacement::lru) {
      used_[slot] = ++clock_;
    } else {
      const Path& path = paths_[slot & (shape_.ways - 1)];
      std::uint32_t& bits = tree_[slot >> way_shift_];
      bits = (bits & ~path.nodes) | path.upwards;
    }
  }

  /// Puts a sector into the cache with a state, as most recently used. If the line's tag is there only the
  /// sector is added; else an empty way is taken, or the replaced line is returned.
  Victim fill(std::uint64_t virtual_address, std::uint64_t physical, LineState state);
  Victim fill(std::uint64_t physical, LineState state) { return fill(physical, physical, state); }
  /// The line that a fill() of this address would replace. Changes nothing.
  [[nodiscard]] Victim next_victim(std::uint64_t virtual_address, std::uint64_t physical) const;
  /// Removes a line with all its sectors and returns what it held. `none` gives an invalid victim.
  Victim evict(Slot slot);
  /// Empties the whole cache without reporting anything (flash invalidate, reset).
  void clear();

 private:
  [[nodiscard]] std::uint32_t set_of(std::uint64_t virtual_address, std::uint64_t physical) const {
    const std::uint64_t index = (virtual_address & virtual_mask_) | (physical & ~virtual_mask_);
    return static_cast<std::uint32_t>((index >> line_shift_) & (shape_.sets - 1));
  }
  [[nodiscard]] std::size_t sector_index(Slot slot, std::uint64_t physical) const {
    return std::size_t{slot} * shape_.sectors + ((physical & line_mask_) >> sector_shift_);
  }
  /// The states of a line's sectors.
  [[nodiscard]] std::span<LineState> sectors_of(Slot slot) {
    return {states_.data() + std::size_t{slot} * shape_.sectors, shape_.sectors};
  }
  void find_paths();
  [[nodiscard]] Victim describe(Slot slot) const;
  [[nodiscard]] std::uint32_t way_to_replace(std::uint32_t set) const;

  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  /// The nodes of the pseudo-LRU tree on the path to a leaf, and their values after a use of the leaf: they point away
  /// from it.
  struct Path {
    std::uint32_t nodes = 0, upwards = 0;
  };
  CacheShape shape_;
  std::uint64_t line_mask_ = 0;
  std::uint64_t virtual_mask_ = 0;
  unsigned line_shift_ = 0;
  unsigned sector_shift_ = 0;
  unsigned way_shift_ = 0;           ///< log2 of the ways (pseudo-LRU)
  std::vector<Path> paths_;          ///< per way (pseudo-LRU)
  std::uint64_t clock_ = 0;          ///< rises with every use (LRU)
  std::vector<std::uint64_t> tags_;  ///< per slot: physical line number, or empty
  std::vector<std::uint64_t> used_;  ///< per slot: clock_ of the last use (LRU)
  std::vector<std::uint32_t> tree_;  ///< per set: node bits (pseudo-LRU), bit 0 unused, root is bit 1
  std::vector<LineState> states_;    ///< per slot and sector
};

// Line-sized buffers that gather stores which do not go to a write-back cache. Stores are combined while their line is
// in the buffer. A line goes to the bus when it is full, the oldest line when room is needed, and all lines at a
// barrier.

using activity::MemoryType;

class WriteBuffer {
 public:
  struct Entry {
    std::uint64_t line = 0;   ///< first byte of the line
    std::uint64_t bytes = 0;  ///< one bit for each byte written
    MemoryType type = MemoryType::write_combining;
    std::uint64_t born = 0;  ///< cycle of the first store
  };
  /// `line_bytes` a power of two, at most 64.
  WriteBuffer(unsigned entries, unsigned line_bytes);

  /// Adds a store that lies within one line. Combines with the entry of the same line and type if `combine`.
  /// Returns the entry that must be sent to make room, if any.
  std::optional<Entry> store(std::uint64_t address, unsigned size, MemoryType type, bool combine, std::uint64_t now);
  /// Removes an entry with all bytes written, if there is one.
  std::optional<Entry> take_full();
  /// Removes the oldest entry created at `cycle` or before, if there is one.
  std::optional<Entry> take_born_by(std::uint64_t cycle) {
    if (entries_.empty() || entries_.front().born > cycle) return std::nullopt;
    return take(0);
  }
  /// Removes the oldest entry, if there is one (a barrier calls this until the buffer is empty).
  std::optional<Entry> take_oldest() {
    if (entries_.empty()) return std::nullopt;
    return take(0);
  }

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Cycle in which the oldest entry was created; the buffer must not be empty.
  [[nodiscard]] std::uint64_t oldest_born() const { return entries_.front().born; }

 private:
  Entry take(std::size_t index);
  unsigned capacity_;
  std::uint64_t line_mask_;
  std::uint64_t full_ = 0;      ///< Entry::bytes of a full line
  std::vector<Entry> entries_;  ///< oldest first; never grows past capacity_
};

}  // namespace pmusim::core
