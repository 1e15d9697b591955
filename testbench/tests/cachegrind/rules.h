// The reasons why cachegrind counts differently: named rules, each of which computes the difference, line by line.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "data_accesses.h"

namespace pmusim::testbench {

/// Source lines (FILE:LINE) of instruction addresses.
using Places = std::map<std::uint64_t, std::string>;
using LineCounts = std::map<std::string, Counts>;

struct Rule {
  std::string_view name;
  std::string_view meaning;
  /// Adds the difference that this rule causes: positive where cachegrind counts more, negative where it counts less.
  void (*differences)(const DataAccesses& ours, const Places& places, LineCounts& more);
};
[[nodiscard]] std::span<const Rule> rules();

/// Adds up all probes by line.
[[nodiscard]] LineCounts by_line(const DataAccesses& ours, const Places& places);

}  // namespace pmusim::testbench
