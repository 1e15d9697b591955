// Building fields of the Alpha's registers: what their values mean.
#pragma once

#include <fmt/format.h>

#include "encoder/src/backend.h"

namespace pmusim::encoder::alpha {

/// The event that selector `code` of a counter names in a table.
template <const auto& Table, unsigned Counter>
std::string event_meaning(std::uint64_t code) {
  for (const auto& rows : Table().rows)
    for (const auto& row : rows)
      if (row.counter == Counter && row.code == code) return std::string(row.name);
  return "no event";
}

inline std::string reserved_meaning(std::uint64_t value) { return value != 0 ? "to be written 0" : "reserved"; }
inline std::string count_meaning(std::uint64_t value) { return fmt::format("{} counted", value); }
inline std::string start_meaning(std::uint64_t value) { return fmt::format("new value {}", value); }

/// A field that no part of the monitor uses.
constexpr Field reserved(std::string_view bits, unsigned shift, unsigned width) {
  return {"reserved", bits, shift, width, reserved_meaning};
}

/// One bit for each counter of an argument.
inline std::string mask_meaning(std::uint64_t value) {
  std::string list;
  for (unsigned n = 0; n < 3; ++n)
    if ((value >> n & 1U) != 0) list += fmt::format("{}counter {}", list.empty() ? "" : ", ", n);
  return list.empty() ? "no counter" : list;
}

}  // namespace pmusim::encoder::alpha
