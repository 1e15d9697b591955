#include "levels.h"

#include <fmt/format.h>

#include "encoder/src/text.h"

namespace pmusim::encoder::ia64 {

Result<std::uint32_t> levels_of(const Request& request) {
  constexpr std::uint32_t user_level = 8;
  constexpr std::uint32_t kernel_level = 1;
  const auto user = request.settings.get("u");
  const auto kernel = request.settings.get("k");
  const auto mask = request.settings.get("plm");
  if (!mask) {
    if (!user && !kernel) return kUserAndKernel;
    return (user.value_or(0) ? user_level : 0) | (kernel.value_or(0) ? kernel_level : 0);
  }
  const auto differs = [&](const std::optional<std::uint64_t>& asked, std::uint32_t level) {
    return asked && (*asked != 0) != ((*mask & level) != 0);
  };
  if (differs(user, user_level) || differs(kernel, kernel_level))
    return Error{ErrorCode::attribute_conflict,
                 fmt::format("{}: plm={} and u or k ask for different levels; name one or the other",
                             quoted(request.text), *mask)};
  return static_cast<std::uint32_t>(*mask);
}

}  // namespace pmusim::encoder::ia64
