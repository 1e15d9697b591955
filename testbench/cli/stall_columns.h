// The events that say why a target's cycles are lost: columns of `report` and `annotate` that appear by themselves.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

struct StallEvent {
  std::string_view event;
  std::string_view title;  ///< of the column, short
};
/// Those of the table that a target has, in the table's order.
[[nodiscard]] std::vector<StallEvent> stall_events(std::span<const encoder::EventInfo> events);

}  // namespace pmusim::testbench
