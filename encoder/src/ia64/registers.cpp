#include "registers.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pmusim::encoder::ia64 {

const Register& find_register(std::span<const Register> registers, std::string_view space, unsigned number) {
  const auto found = std::find_if(registers.begin(), registers.end(),
                                  [&](const Register& reg) { return reg.space == space && reg.number == number; });
  if (found == registers.end()) throw std::out_of_range(fmt::format("no register {} {}", space, number));
  return *found;
}

}  // namespace pmusim::encoder::ia64
