#include "models/core/parts/memory_map.h"

#include <algorithm>

namespace pmusim::core {

void MemoryMap::set_type(std::uint64_t address, std::uint64_t size, MemoryType type, bool dram) {
  if (size != 0) ranges_.push_back({address, address + (size - 1), type, dram});
}

void MemoryMap::map(std::uint64_t virtual_address, std::uint64_t physical) {
  const Page page{virtual_address / page_bytes_, physical / page_bytes_};
  const auto place = std::lower_bound(pages_.begin(), pages_.end(), page.from,
                                      [](const Page& p, std::uint64_t from) { return p.from < from; });
  if (place != pages_.end() && place->from == page.from) {
    place->to = page.to;
  } else {
    pages_.insert(place, page);
  }
}

MemoryMap::Range MemoryMap::range_of(std::uint64_t physical) const {
  for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
    if (physical >= range->begin && physical <= range->last) return *range;
  }
  return {};
}

std::uint64_t MemoryMap::translate_mapped(std::uint64_t virtual_address) const {
  const std::uint64_t number = virtual_address / page_bytes_;
  const auto page = std::lower_bound(pages_.begin(), pages_.end(), number,
                                     [](const Page& p, std::uint64_t from) { return p.from < from; });
  if (page == pages_.end() || page->from != number) return virtual_address;
  return page->to * page_bytes_ + virtual_address % page_bytes_;
}

}  // namespace pmusim::core
