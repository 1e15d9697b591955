// Events that show why a target loses cycles. `report` and `annotate` add a column for each by default.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

struct StallEvent {
  std::string_view event;
  std::string_view title;  ///< title of the column
};
/// The events of the table that a target has, in the table's order.
[[nodiscard]] std::vector<StallEvent> stall_events(std::span<const encoder::EventInfo> events);

}  // namespace pmusim::testbench
