// Montecito's event table: facts only.
#pragma once

#include "encoder/src/ia64/table.h"

namespace pmusim::encoder::montecito {

inline constexpr unsigned kCounters = 12;
inline constexpr unsigned kCounterWidth = 47;

/// Groups of events that share wires. The L1D events of one run must be of one set; of L2D there may be two.
inline constexpr std::uint8_t kL1dGroup = 1;
inline constexpr std::uint8_t kL2dGroup = 2;
inline constexpr std::string_view kWireGroups[] = {"", "L1D", "L2D"};
/// libpfm 3.10 loses the fourth bit of this L2D set.
inline constexpr int kLostSet = 8;

/// Every event, by descriptor.
[[nodiscard]] const std::vector<ia64::Row>& rows();

}  // namespace pmusim::encoder::montecito
