// Instruction and data TLB, and the table search engine that they share.
#pragma once

#include "models/core/parts/tlb.h"
#include "models/core/ppc750/memory.h"

namespace pmusim::core::ppc750 {

enum class Side : std::uint8_t { instruction = 0, data = 1 };

class Translation {
 public:
  Translation(Machine& machine, MemorySide& memory);

  /// True if the page is in the TLB of this side.
  bool hit(Side side, std::uint64_t address) {
    Last& last = last_[index(side)];
    const std::uint64_t page = address >> 12;
    if (last.valid && last.page == page) return true;
    if (!tlbs_[index(side)].lookup(page, space_)) return false;
    last = {page, true};
    return true;
  }
  /// Starts a table search for the address of `request`; returns false if the engine is busy. From the cycle in which
  /// the search ends, the translation hits.
  bool start_walk(Cycle now, Side side, const NamedRequest& request, Wake& wake);
  /// Inserts the page into the TLB of this side if it is absent.
  void install(Side side, std::uint64_t address);
  /// Ends a search that is due. Must be called before any other work of the cycle.
  void step(Cycle now, Wake& wake);
  [[nodiscard]] bool walking() const { return walking_; }
  [[nodiscard]] bool walking(Side side) const { return walking_ && side_ == side; }
  /// Sets the process to which the following addresses belong.
  void set_space(std::uint32_t space);
  /// Removes the set of a page from both TLBs (tlbie).
  void invalidate(std::uint64_t address);

 private:
  struct Last {
    std::uint64_t page = 0;
    bool valid = false;
  };
  static std::size_t index(Side side) { return static_cast<std::size_t>(side); }

  Machine& machine_;
  MemorySide& memory_;
  std::array<Tlb, 2> tlbs_;
  std::array<Last, 2> last_{};  ///< the page of the last access, which is known to be in the TLB
  std::uint32_t space_ = 0;
  bool walking_ = false;
  Side side_ = Side::data;
  std::uint64_t page_ = 0;
  std::uint32_t walk_space_ = 0;
  Cycle end_ = 0;
};

}  // namespace pmusim::core::ppc750
