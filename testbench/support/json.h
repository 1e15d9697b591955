// The name of a JSON value, for headers. A source that makes or reads one includes <nlohmann/json.hpp>.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace pmusim::testbench {

/// JSON whose keys keep the order of insertion.
using Json = nlohmann::ordered_json;

}  // namespace pmusim::testbench
