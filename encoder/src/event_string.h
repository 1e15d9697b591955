// The grammar of event strings: [TARGET::]EVENT[:UMASK]...[:ATTR]..., without regard to case.
#pragma once

#include <string_view>

#include "backend.h"

namespace pmusim::encoder {

/// `text` as a request to `backend`. Unit masks are tried before attributes. An event with unit masks that
/// names none takes its default. Errors name the word, the limit and the nearest valid choice.
[[nodiscard]] Result<Request> parse_event_string(const Backend& backend, std::string_view text);

}  // namespace pmusim::encoder
