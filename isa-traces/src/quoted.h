// How input is shown in messages.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::trace {

/// In quotes, on one line, printable and short, whatever bytes it has.
[[nodiscard]] std::string quoted(std::string_view token);

}  // namespace pmusim::trace
