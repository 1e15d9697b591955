// Formats input for messages.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::trace {

/// True for bytes of printable ASCII alone, blanks included.
[[nodiscard]] bool is_printable(std::string_view bytes);
/// Returns `bytes` on one line, with control characters and non-ASCII bytes as \xNN.
[[nodiscard]] std::string printable(std::string_view bytes);
/// Returns `token` in quotes, on one line, printable and shortened if long.
[[nodiscard]] std::string in_quotes(std::string_view token);

}  // namespace pmusim::trace
