// Values as the page has them: 64-bit ones are hexadecimal texts, because its numbers have 53 bits.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"

namespace pmusim::lab {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string hex(std::uint64_t value);
[[nodiscard]] std::uint64_t number(const Json& text);
[[nodiscard]] Json to_json(const encoder::RegisterValue& reg);

/// The target that a request names. Throws std::invalid_argument.
[[nodiscard]] const models::Target& target_of(const Json& request);

/// `registers` of a request: names with values, in the order of writing.
[[nodiscard]] std::vector<encoder::RegisterValue> registers_of(const Json& request);

}  // namespace pmusim::lab
