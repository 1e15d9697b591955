#include "assignment.h"

#include <bit>

namespace pmusim::encoder {
namespace {

bool place(std::span<const std::uint32_t> allowed, std::uint32_t free, std::vector<unsigned>& placed) {
  if (placed.size() == allowed.size()) return true;
  if (static_cast<std::size_t>(std::popcount(free)) < allowed.size() - placed.size()) return false;
  for (std::uint32_t choices = allowed[placed.size()] & free; choices != 0; choices &= choices - 1) {
    const auto counter = static_cast<unsigned>(std::countr_zero(choices));
    placed.push_back(counter);
    if (place(allowed, free & ~(1u << counter), placed)) return true;
    placed.pop_back();
  }
  return false;
}

}  // namespace

std::optional<std::vector<unsigned>> assign(std::span<const std::uint32_t> allowed) {
  std::uint32_t free = 0;
  for (const std::uint32_t counters : allowed) free |= counters;
  std::vector<unsigned> placed;
  if (!place(allowed, free, placed)) return std::nullopt;
  return placed;
}

}  // namespace pmusim::encoder
