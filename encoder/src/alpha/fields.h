// Helpers for the fields of the Alpha registers: the meanings of their values.
#pragma once

#include <fmt/format.h>

#include "encoder/src/backend.h"

namespace pmusim::encoder::alpha {

/// The name of the event in a table that a counter counts with selector `code`.
template <const auto& Table, unsigned Counter>
std::string event_meaning(std::uint64_t code) {
  for (const auto& rows : Table().rows)
    for (const auto& row : rows)
      if (row.counter == Counter && row.code == code) return std::string(row.name);
  return "no event";
}

inline constexpr Meaning reserved_meaning{"reserved", "to be written 0"};
inline constexpr Meaning count_meaning{"{} counted"};
inline constexpr Meaning start_meaning{"new value {}"};

/// A field that does not belong to the performance monitor.
constexpr Field reserved(std::string_view bits, unsigned shift, unsigned width) {
  return {"reserved", bits, shift, width, reserved_meaning};
}

/// Lists the counters of a bit mask with one bit for each counter.
inline std::string mask_meaning(std::uint64_t value) {
  std::string list;
  for (unsigned n = 0; n < 3; ++n)
    if ((value >> n & 1U) != 0) list += fmt::format("{}counter {}", list.empty() ? "" : ", ", n);
  return list.empty() ? "no counter" : list;
}

}  // namespace pmusim::encoder::alpha
