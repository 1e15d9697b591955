// Converts a Montecito dispatch request in JSON to a call of the C API, and its answer to JSON.
#pragma once

#include "testbench/tests/encoder_itanium2/json_case.h"

namespace pmusim::encoder::test {

/// The quirks under which a recorded request was answered.
inline constexpr const char* kSwitch = "libpfm-3.10";

/// Returns the answer of pfm_dispatch_events to `in`, with the quirks that are set.
[[nodiscard]] Json answer_to(const Json& in);

/// The recorded cases, as one JSON object each.
[[nodiscard]] const std::vector<Json>& recorded_cases();

}  // namespace pmusim::encoder::test
