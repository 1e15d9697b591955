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

}  // namespace pmusim::core
