// Values as the page has them: 64-bit ones are hexadecimal texts, because its numbers have 53 bits.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"

namespace pmusim::lab {

using Json = nlohmann::ordered_json;

inline std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }
inline std::uint64_t number(const Json& text) { return std::stoull(text.get<std::string>(), nullptr, 0); }

inline Json to_json(const encoder::RegisterValue& reg) {
  return Json{{"name", reg.name}, {"space", reg.space}, {"width", reg.width}, {"value", hex(reg.value)}};
}

inline const models::Target& target_of(const Json& request) {
  const auto name = request.at("target").get<std::string>();
  const models::Target* const target = models::find_target(name);
  if (target == nullptr) throw std::invalid_argument("there is no target " + name);
  return *target;
}

/// `registers` of a request: names with values, in the order of writing.
[[nodiscard]] std::vector<encoder::RegisterValue> registers_of(const Json& request);

}  // namespace pmusim::lab
