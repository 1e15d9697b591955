// The event table of Montecito. It contains facts only.
#pragma once

#include "encoder/src/ia64/table.h"

namespace pmusim::encoder::montecito {

inline constexpr unsigned kCounters = 12;
inline constexpr unsigned kCounterWidth = 47;

/// Groups of events whose sets share wires. In one run, L1D events must be of one set, L2D events of at most two sets.
inline constexpr std::uint8_t kL1dGroup = 1;
inline constexpr std::uint8_t kL2dGroup = 2;
inline constexpr std::string_view kWireGroups[] = {"", "L1D", "L2D"};
/// The L2D set of which libpfm 3.10 drops bit 3.
inline constexpr int kLostSet = 8;

/// All events; the index is the descriptor.
[[nodiscard]] const std::vector<ia64::Row>& rows();

}  // namespace pmusim::encoder::montecito
