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
  const std::size_t first = first_of(page);
  for (std::size_t i = first; i < first + ways_; ++i) {
    if (!entries_[i].holds(page, space)) continue;
    entries_[i].used = ++clock_;
    return true;
  }
  return false;
}

bool Tlb::contains(std::uint64_t page, std::uint32_t space) const {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(first_of(page));
  return std::any_of(first, first + ways_, [&](const Entry& e) { return e.holds(page, space); });
}

void Tlb::fill(std::uint64_t page, std::uint32_t space) {
  if (lookup(page, space)) return;
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(first_of(page));
  // An empty entry was never used, or was reset to 0, so it is the least recently used one.
  *std::min_element(first, first + ways_, [](const Entry& a, const Entry& b) { return a.used < b.used; }) = {
      page, ++clock_, space};
}

void Tlb::invalidate_set(std::uint64_t page) {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(first_of(page));
  std::fill(first, first + ways_, Entry{});
}

void Tlb::invalidate(std::uint64_t page, std::uint32_t space) {
  const std::size_t first = first_of(page);
  for (std::size_t i = first; i < first + ways_; ++i) {
    if (entries_[i].holds(page, space)) entries_[i] = {};
  }
}

void Tlb::clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

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
