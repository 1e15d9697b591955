// What the manual page promises of address ranges, checked on an answer alone: each range is covered, and the offsets
// say by how much it is exceeded. Written from the description of the debug registers, apart from the encoder's own.
#pragma once

#include <string>

#include "dispatch_case.h"

namespace pmusim::encoder::test {

/// Empty when the answer keeps the promise or is a refusal; else what is wrong.
[[nodiscard]] std::string broken_promise(const Json& in, const Json& out);

/// How many of the addresses lie in the ranges asked for.
[[nodiscard]] std::size_t addresses_inside(const Json& limits, const Json& addresses);
/// How many of them the registers of an answer let through; all, when PMC13 leaves data ranges off.
[[nodiscard]] std::size_t addresses_passed(const Json& out, const std::string& range, const Json& addresses);

}  // namespace pmusim::encoder::test
