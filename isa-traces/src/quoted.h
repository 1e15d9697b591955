// How input is shown in messages.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::trace {

/// On one line: what is not ASCII or a control character as \xNN.
[[nodiscard]] std::string printable(std::string_view bytes);
/// In quotes, on one line, printable and short, whatever bytes it has.
[[nodiscard]] std::string quoted(std::string_view token);

}  // namespace pmusim::trace
