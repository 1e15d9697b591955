// The answers to requests of the page: of the models over recorded activity, and of the encoder.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/driver/activity_source.h"

namespace pmusim::lab {

// Values as the page has them: 64-bit ones are hexadecimal texts, because its numbers have 53 bits.

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string hex(std::uint64_t value);
[[nodiscard]] std::uint64_t number(const Json& text);
[[nodiscard]] Json to_json(const encoder::RegisterValue& reg);

/// The target that a request names. Throws std::invalid_argument.
[[nodiscard]] const models::Target& target_of(const Json& request);

/// `registers` of a request: names with values, in the order of writing.
[[nodiscard]] std::vector<encoder::RegisterValue> registers_of(const Json& request);

/// Counts of the models, as `pmusim run` and `pmusim record` report them: the counters, registers and capture units of
/// each thread after the last cycle, and the samples.
[[nodiscard]] Json replay(const Json& request, const testbench::ActivityLog& activity, unsigned threads);

/// For each programmed counter of each thread: the number of occurrences left after each step on the way to it, and the
/// instructions and addresses to which its increments are charged, as the models report them to a probe
/// (testbench/explain).
[[nodiscard]] Json explain(const Json& request, const testbench::ActivityLog& activity, unsigned threads);
/// The counts of the counter named in `counter`, of `thread`, with one field of the registers changed at a time.
/// Interrupts and their handlers are left out.
[[nodiscard]] Json neighbours(const Json& request, const testbench::ActivityLog& activity, unsigned threads);

/// Answers of the encoder: targets, events, an event's registers, a register's fields.
[[nodiscard]] Json list_targets();
/// The events, attributes and registers of a target.
[[nodiscard]] Json describe(const Json& request);
/// Encodes `events`, `sampling` and `qualifiers`; returns the registers, or `error`.
[[nodiscard]] Json encode(const Json& request);
/// Decodes `registers`: their fields in words, and the events that they select.
[[nodiscard]] Json decode(const Json& request);

}  // namespace pmusim::lab
