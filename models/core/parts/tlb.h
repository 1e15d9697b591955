// A translation lookaside buffer: which pages it holds and which is replaced next. It has tags only; MemoryMap
// translates addresses. A fully associative buffer has one set.
#pragma once

#include <cstdint>
#include <vector>

namespace pmusim::core {

class Tlb {
 public:
  /// `sets` a power of two. Replacement is true LRU within a set.
  Tlb(std::uint32_t sets, std::uint32_t ways);

  /// True if it holds the page of this address space; the page becomes the most recently used of its set.
  /// `page` is the virtual page number, whose low bits select the set.
  bool lookup(std::uint64_t page, std::uint32_t space = 0);
  /// The same, but changes nothing.
  [[nodiscard]] bool contains(std::uint64_t page, std::uint32_t space = 0) const;
  /// Inserts a page as the most recently used, in place of the least recently used of its set.
  void fill(std::uint64_t page, std::uint32_t space = 0);
  /// Removes the whole set of a page, for all address spaces (PowerPC tlbie).
  void invalidate_set(std::uint64_t page);
  /// Removes one page.
  void invalidate(std::uint64_t page, std::uint32_t space = 0);
  /// Empties the buffer.
  void clear();

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
  [[nodiscard]] std::size_t first_of(std::uint64_t page) const {
    return static_cast<std::size_t>(page & (sets_ - 1)) * ways_;
  }

  std::uint32_t sets_;
  std::uint32_t ways_;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace pmusim::core
