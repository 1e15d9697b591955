#include "backend.h"

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

}  // namespace pmusim::encoder
