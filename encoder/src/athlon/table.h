// The event table of the Athlon. It contains facts only, with one row for each event.
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

/// The rows, sorted by code.
[[nodiscard]] std::span<const Row> table();

}  // namespace pmusim::encoder::athlon
