// The Athlon's event table: facts only, one row an event.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::athlon {

struct Row {
  std::string_view name;
  std::uint8_t code;
  std::span<const UnitMask> unit_masks;
  unsigned max_per_cycle;
  std::string_view description;
  std::string_view source;
};

/// By ascending code.
[[nodiscard]] std::span<const Row> table();

}  // namespace pmusim::encoder::athlon
