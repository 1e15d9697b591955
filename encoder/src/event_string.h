// The grammar of event strings: [TARGET::]EVENT[:UMASK]...[:ATTR]... Case is ignored.
#pragma once

#include <string_view>

#include "backend.h"

namespace pmusim::encoder {

/// Replaces additional names of the family by the names of its table. Returns an event string for each event.
[[nodiscard]] std::vector<std::string> expand_event_string(const Backend& backend, std::string_view text);

/// Parses `text` as a request to `backend`. A word is looked up among the unit masks before the attributes. If the text
/// names no unit mask, the event's default applies. An error names the word, the limit and the nearest valid choice.
[[nodiscard]] Result<Request> parse_event_string(const Backend& backend, std::string_view text);

}  // namespace pmusim::encoder
