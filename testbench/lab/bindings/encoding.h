// Requests to the encoder: targets, events, an event's registers, a register's fields.
#pragma once

#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

[[nodiscard]] Json list_targets();
/// The events, attributes and registers of a target.
[[nodiscard]] Json describe(const Json& request);
/// Encodes `events`, `sampling` and `qualifiers`; returns the registers, or `error`.
[[nodiscard]] Json encode(const Json& request);
/// Decodes `registers`: their fields in words, and the events that they select.
[[nodiscard]] Json decode(const Json& request);

}  // namespace pmusim::lab
