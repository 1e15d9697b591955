#include "backend.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmusim::encoder {

std::uint32_t Event::counters() const {
  std::uint32_t mask = 0;
  for (const CounterCode& entry : codes) mask |= 1u << entry.counter;
  return mask;
}

std::optional<std::uint32_t> Event::code_on(unsigned counter) const {
  for (const CounterCode& entry : codes)
    if (entry.counter == counter) return entry.code;
  return std::nullopt;
}

const UnitMask* Event::default_mask() const {
  for (const UnitMask& mask : unit_masks)
    if (mask.is_default) return &mask;
  return nullptr;
}

std::string Meaning::of(std::uint64_t value) const {
  if (function_ != nullptr) return function_(value);
  return count_ == 0 ? "" : fmt::format(fmt::runtime(words_[std::min<std::uint64_t>(value, count_ - 1)]), value);
}

std::vector<ForeignAttribute> joined(std::span<const ForeignAttribute> family, std::span<const ForeignAttribute> own) {
  std::vector<ForeignAttribute> all(family.begin(), family.end());
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<std::string_view> names_of(std::span<const Register> registers, std::string_view space, unsigned first,
                                       unsigned count) {
  std::vector<std::string_view> names(count);
  for (const Register& reg : registers)
    if (reg.space == space && reg.number >= first && reg.number - first < count) names[reg.number - first] = reg.name;
  return names;
}

}  // namespace pmusim::encoder
