// The AMD Athlon (K7) encoder. Each of four equal counters has a selector register and can count any event.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::athlon {

// The event table of the Athlon. It contains facts only, with one row for each event.

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

/// The back end. Tests pass tables with a changed row, which must outlive it.
[[nodiscard]] std::unique_ptr<const Backend> make_backend(std::span<const Row> rows = table());

}  // namespace pmusim::encoder::athlon
