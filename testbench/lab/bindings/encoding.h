// What the encoder says: targets, events, an event's registers, a register's fields.
#pragma once

#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

[[nodiscard]] Json list_targets();
/// Events, attributes and registers of a target.
[[nodiscard]] Json describe(const Json& request);
/// `events`, `sampling` and `qualifiers` to registers, or `error`.
[[nodiscard]] Json encode(const Json& request);
/// `registers` to fields in words, and what they select.
[[nodiscard]] Json decode(const Json& request);

}  // namespace pmusim::lab
