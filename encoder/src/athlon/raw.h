// Raw events of the Athlon in the words of Linux perf: rUUEE and cpu/event=0xEE,umask=0xUU,cmask=N,inv,edge/.
#pragma once

#include <optional>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::athlon {

/// Empty when `head` has neither form. The codes need not be in any table.
[[nodiscard]] std::optional<Result<Request>> parse_raw(std::string_view head);

}  // namespace pmusim::encoder::athlon
