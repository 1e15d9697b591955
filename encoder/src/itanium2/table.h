// The event table of the Itanium 2. It contains facts only.
#pragma once

#include "encoder/src/ia64/table.h"

namespace pmusim::encoder::itanium2 {

inline constexpr unsigned kCounters = 4;
inline constexpr unsigned kCounterWidth = 47;

/// Groups of events. All events of a group in one run must belong to one set, because the sets share wires.
inline constexpr std::uint8_t kL1Group = 1;
inline constexpr std::uint8_t kL2Group = 2;
inline constexpr std::string_view kWireGroups[] = {"", "L1", "L2"};

[[nodiscard]] std::span<const ia64::Family> families();
/// All events; the index is the descriptor.
[[nodiscard]] const std::vector<ia64::Row>& rows();
/// Other codes and unit masks of events of rows(), with the event's name. encode() does not use them.
[[nodiscard]] const std::vector<ia64::Row>& other_codes();
/// Events that a list names and no document defines.
[[nodiscard]] const std::vector<ia64::Row>& undefined_rows();

}  // namespace pmusim::encoder::itanium2
