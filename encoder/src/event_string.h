// The grammar of event strings: [TARGET::]EVENT[:UMASK]...[:ATTR]..., without regard to case.
#pragma once

#include <string_view>

#include "backend.h"

namespace pmusim::encoder {

/// `text` with further names of the family replaced by those of its table: an event string for each event.
[[nodiscard]] std::vector<std::string> expand_event_string(const Backend& backend, std::string_view text);

/// `text` as a request to `backend`. Unit masks are tried before attributes. An event with unit masks that
/// names none takes its default. Errors name the word, the limit and the nearest valid choice.
[[nodiscard]] Result<Request> parse_event_string(const Backend& backend, std::string_view text);

}  // namespace pmusim::encoder
