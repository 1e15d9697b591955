#include "models/core/parts/tlb.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace pmusim::core {

Tlb::Tlb(std::uint32_t sets, std::uint32_t ways) : sets_(sets), ways_(ways), entries_(std::size_t{sets} * ways) {
  if (!std::has_single_bit(sets) || ways == 0) {
    throw std::invalid_argument("a TLB needs a power of two of sets and at least one way");
  }
}

bool Tlb::lookup(std::uint64_t page, std::uint32_t space) {
  for (Entry& entry : set_of(page)) {
    if (!entry.holds(page, space)) continue;
    entry.used = ++clock_;
    return true;
  }
  return false;
}

bool Tlb::contains(std::uint64_t page, std::uint32_t space) {
  return std::ranges::any_of(set_of(page), [&](const Entry& e) { return e.holds(page, space); });
}

void Tlb::fill(std::uint64_t page, std::uint32_t space) {
  if (lookup(page, space)) return;
  // An empty entry was never used, or was reset to 0, so it is the least recently used one.
  *std::ranges::min_element(set_of(page), {}, &Entry::used) = {page, ++clock_, space};
}

void Tlb::invalidate_set(std::uint64_t page) { std::ranges::fill(set_of(page), Entry{}); }

void MemoryMap::map(std::uint64_t virtual_address, std::uint64_t physical) {
  const Page page{virtual_address / page_bytes_, physical / page_bytes_};
  const auto place = std::ranges::lower_bound(pages_, page.from, {}, &Page::from);
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
  const auto page = std::ranges::lower_bound(pages_, number, {}, &Page::from);
  if (page == pages_.end() || page->from != number) return virtual_address;
  return page->to * page_bytes_ + virtual_address % page_bytes_;
}

}  // namespace pmusim::core
