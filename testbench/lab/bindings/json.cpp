#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "answers.h"

namespace pmusim::lab {

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

std::uint64_t number(const Json& text) { return std::stoull(text.get<std::string>(), nullptr, 0); }

Json to_json(const encoder::RegisterValue& reg) {
  return Json{{"name", reg.name}, {"space", reg.space}, {"width", reg.width}, {"value", hex(reg.value)}};
}

const models::Target& target_of(const Json& request) {
  const auto name = request.at("target").get<std::string>();
  const models::Target* const target = models::find_target(name);
  if (target == nullptr) throw std::invalid_argument("there is no target " + name);
  return *target;
}

}  // namespace pmusim::lab
