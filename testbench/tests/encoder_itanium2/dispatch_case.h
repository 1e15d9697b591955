// A dispatch request as JSON, made a call of the C API, and its answer as JSON again. The form is that of the recorded
// answers of libpfm 3.10 in this folder; README.md describes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pmusim::encoder::test {

using Json = nlohmann::json;

/// What pfm_dispatch_events answers to `in`, with the quirks that are set.
[[nodiscard]] Json answer_to(const Json& in);

/// The recorded cases, one JSON object each.
[[nodiscard]] const std::vector<Json>& recorded_cases();

/// Sets PFMLIB_QUIRKS' words for the time of its life.
class WithQuirks {
 public:
  explicit WithQuirks(const std::string& words);
  ~WithQuirks();
  WithQuirks(const WithQuirks&) = delete;
  WithQuirks& operator=(const WithQuirks&) = delete;
};

/// The words under which a recorded request was answered.
[[nodiscard]] std::string quirks_of(const Json& in);

}  // namespace pmusim::encoder::test
