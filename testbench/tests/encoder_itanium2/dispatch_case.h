// An Itanium 2 dispatch request as JSON, made a call of the C API, and its answer as JSON again.
#pragma once

#include "json_case.h"

namespace pmusim::encoder::test {

/// What pfm_dispatch_events answers to `in`, with the quirks that are set.
[[nodiscard]] Json answer_to(const Json& in);

/// The recorded cases, one JSON object each.
[[nodiscard]] const std::vector<Json>& recorded_cases();

/// The words under which a recorded request was answered.
[[nodiscard]] std::string quirks_of(const Json& in);

}  // namespace pmusim::encoder::test
