// What directives say of memory: the type of address ranges (as the x86 MTRRs would) and which virtual
// pages share a physical page. A trace has effective addresses only; without a mapping they are the
// physical ones.
#pragma once

#include <cstdint>
#include <vector>

#include "models/activity/signals.h"

namespace pmusim::core {

using activity::MemoryType;

class MemoryMap {
 public:
  /// `page_bytes`: power of two, unit of map().
  explicit MemoryMap(std::uint64_t page_bytes = 4096) : page_bytes_(page_bytes) {}

  /// Memory of physical addresses [address, address + size) has this type from now on. The latest of overlapping ranges
  /// applies.
  void set_type(std::uint64_t address, std::uint64_t size, MemoryType type, bool dram = true);
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
