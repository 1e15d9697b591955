// A Montecito dispatch request as JSON, made a call of the C API, and its answer as JSON again.
#pragma once

#include "testbench/tests/encoder_itanium2/json_case.h"

namespace pmusim::encoder::test {

/// The words under which a recorded request was answered.
inline constexpr const char* kSwitch = "libpfm-3.10";

/// What pfm_dispatch_events answers to `in`, with the quirks that are set.
[[nodiscard]] Json answer_to(const Json& in);

/// The recorded cases, one JSON object each.
[[nodiscard]] const std::vector<Json>& recorded_cases();

}  // namespace pmusim::encoder::test
