// Converts an Itanium 2 dispatch request in JSON to a call of the C API, and its answer to JSON.
#pragma once

#include "json_case.h"

namespace pmusim::encoder::test {

/// Returns the answer of pfm_dispatch_events to `in`, with the quirks that are set.
[[nodiscard]] Json answer_to(const Json& in);

/// The recorded cases, as one JSON object each.
[[nodiscard]] const std::vector<Json>& recorded_cases();

/// The quirks under which a recorded request was answered.
[[nodiscard]] std::string quirks_of(const Json& in);

}  // namespace pmusim::encoder::test
