#include "levels.h"

#include <fmt/format.h>

#include "text.h"

namespace pmusim::encoder {

Result<Levels> levels_of(const Request& request) {
  const auto user = request.settings.get("u");
  const auto kernel = request.settings.get("k");
  const auto mask = request.settings.get("plm");
  if (mask) {
    const Levels levels{(*mask & 0xe) != 0, (*mask & 1) != 0};
    if (user.value_or(levels.user) != levels.user || kernel.value_or(levels.kernel) != levels.kernel)
      return Error{ErrorCode::attribute_conflict,
                   fmt::format("{}: plm={} and u or k ask for different levels; name one or the other",
                               quoted(request.text), *mask)};
    return levels;
  }
  if (!user && !kernel) return Levels{};
  return Levels{user.value_or(0) != 0, kernel.value_or(0) != 0};
}

}  // namespace pmusim::encoder
