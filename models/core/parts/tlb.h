// A translation lookaside buffer: which pages it holds and which is replaced next. It has tags only; MemoryMap
// translates addresses. A fully associative buffer has one set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/activity/signals.h"

namespace pmusim::core {

class Tlb {
 public:
  /// `sets` a power of two. Replacement is true LRU within a set.
  Tlb(std::uint32_t sets, std::uint32_t ways);

  /// True if it holds the page of this address space; the page becomes the most recently used of its set.
  /// `page` is the virtual page number, whose low bits select the set.
  bool lookup(std::uint64_t page, std::uint32_t space = 0);
  /// The same, but changes nothing.
  [[nodiscard]] bool contains(std::uint64_t page, std::uint32_t space = 0);
  /// Inserts a page as the most recently used, in place of the least recently used of its set.
  void fill(std::uint64_t page, std::uint32_t space = 0);
  /// Removes the whole set of a page, for all address spaces (PowerPC tlbie).
  void invalidate_set(std::uint64_t page);
  /// Empties the buffer.
  void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

 private:
  /// The whole page number: regions of IA-64 differ in its highest bits alone.
  struct Entry {
    std::uint64_t page = empty;
    std::uint64_t used = 0;
    std::uint32_t space = 0;
    [[nodiscard]] bool holds(std::uint64_t wanted, std::uint32_t of_space) const {
      return page == wanted && space == of_space;
    }
  };
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  [[nodiscard]] std::span<Entry> set_of(std::uint64_t page) {
    return {entries_.data() + static_cast<std::size_t>(page & (sets_ - 1)) * ways_, ways_};
  }

  std::uint32_t sets_;
  std::uint32_t ways_;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
};

// What directives say of memory: the type of address ranges (as the x86 MTRRs would) and which virtual
// pages share a physical page. A trace has effective addresses only; without a mapping they are the
// physical ones.

using activity::MemoryType;

class MemoryMap {
 public:
  /// `page_bytes`: power of two, unit of map().
  explicit MemoryMap(std::uint64_t page_bytes = 4096) : page_bytes_(page_bytes) {}

  /// Memory of physical addresses [address, address + size) has this type from now on. The latest of overlapping ranges
  /// applies.
  void set_type(std::uint64_t address, std::uint64_t size, MemoryType type, bool dram = true) {
    if (size != 0) ranges_.push_back({address, address + (size - 1), type, dram});
  }
  /// The virtual page that holds `virtual_address` is backed by the physical page that holds `physical`.
  void map(std::uint64_t virtual_address, std::uint64_t physical);

  /// Type of a physical address; write-back by default.
  [[nodiscard]] MemoryType type(std::uint64_t physical) const {
    return ranges_.empty() ? MemoryType::write_back : range_of(physical).type;
  }
  /// False where a range is declared as no DRAM (a device).
  [[nodiscard]] bool is_dram(std::uint64_t physical) const { return ranges_.empty() || range_of(physical).dram; }
  [[nodiscard]] std::uint64_t translate(std::uint64_t virtual_address) const {
    return pages_.empty() ? virtual_address : translate_mapped(virtual_address);
  }

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t last = 0;
    MemoryType type = MemoryType::write_back;
    bool dram = true;
  };
  struct Page {
    std::uint64_t from;  ///< virtual page number
    std::uint64_t to;    ///< physical page number
  };
  [[nodiscard]] Range range_of(std::uint64_t physical) const;
  [[nodiscard]] std::uint64_t translate_mapped(std::uint64_t virtual_address) const;

  std::uint64_t page_bytes_;
  std::vector<Range> ranges_;  ///< in order of declaration
  std::vector<Page> pages_;    ///< sorted by `from`
};

}  // namespace pmusim::core
