// The event tables of the 750GX, as in the manual: facts only, with one row for each selector of a counter.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace pmusim::encoder::ppc750gx {

inline constexpr unsigned kCounters = 4;

/// The register-wide setting that an event depends on.
enum class Uses : std::uint8_t { none, threshold, time_base };

struct Row {
  std::uint8_t select;
  std::string_view name;
  unsigned max_per_cycle;
  std::string_view description;
  Uses uses = Uses::none;
  bool confirmed = true;
};

/// A range of selectors of a counter, `first` to `last`, that the manual reserves.
struct ReservedRange {
  std::uint8_t first;
  std::uint8_t last;
  std::string_view reason;
};

/// The selectors of one counter.
struct CounterTable {
  unsigned counter;  ///< 0 is PMC1
  std::string_view source;
  std::span<const Row> rows;
  std::span<const ReservedRange> reserved;
};

/// The tables of PMC1 to PMC4.
[[nodiscard]] std::span<const CounterTable> tables();

}  // namespace pmusim::encoder::ppc750gx
