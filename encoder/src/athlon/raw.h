// Raw events of the Athlon in the syntax of Linux perf: rUUEE and cpu/event=0xEE,umask=0xUU,cmask=N,inv,edge/.
#pragma once

#include <optional>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::athlon {

/// Parses a raw event. Empty if `head` has neither form. The code need not be in the event table.
[[nodiscard]] std::optional<Result<Request>> parse_raw(std::string_view head);

}  // namespace pmusim::encoder::athlon
