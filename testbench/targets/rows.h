// Tables of what the targets bring along, made of the rows of targets.def.
#pragma once

#include <cstddef>
#include <string_view>

namespace pmusim::testbench::targets {

template <class Facts>
struct Row {
  std::string_view target;
  const Facts* facts;
};

/// Null for a target that has no row.
template <class Facts, std::size_t size>
[[nodiscard]] const Facts* find(const Row<Facts> (&rows)[size], std::string_view target) {
  for (const Row<Facts>& row : rows) {
    if (row.target == target) return row.facts;
  }
  return nullptr;
}

}  // namespace pmusim::testbench::targets
