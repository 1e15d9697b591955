// The 750GX's event tables: facts only, one row a selector of a counter, as the manual prints them.
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

/// Selectors first to last of a counter that the manual reserves.
struct ReservedRange {
  std::uint8_t first;
  std::uint8_t last;
  std::string_view reason;
};

/// What one counter can select.
struct CounterTable {
  unsigned counter;  ///< 0 is PMC1
  std::string_view source;
  std::span<const Row> rows;
  std::span<const ReservedRange> reserved;
};

/// PMC1 to PMC4.
[[nodiscard]] std::span<const CounterTable> tables();

}  // namespace pmusim::encoder::ppc750gx
