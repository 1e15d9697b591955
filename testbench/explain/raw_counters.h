// The counters of raw register values: what they select, what the program's own writes select, and what prevents the
// delivery of their interrupts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// A canonical event without its target.
[[nodiscard]] std::string without_target(const std::string& event);
/// Its name and unit masks alone.
[[nodiscard]] std::string without_attributes(const std::string& event);

/// What programs the registers on the bus. Throws std::invalid_argument for a register or a value that there is not.
[[nodiscard]] std::vector<RegisterWrite> writes_of(const models::Target& target, const models::Parameters& parameters,
                                                   std::span<const encoder::RegisterValue> registers);

/// The selections of those registers that the encoder supports; counters and breakpoints select nothing.
[[nodiscard]] encoder::Result<std::vector<encoder::Selection>> raw_selections(
    std::string_view target, std::span<const encoder::RegisterValue> registers);

/// Registers that do not hold the written value because of reserved and fixed bits, as sentences.
[[nodiscard]] std::vector<std::string> lost_bits(const models::Target& target, const models::Parameters& parameters,
                                                 std::span<const encoder::RegisterValue> registers);

/// All selections that exist after some write of the program, in the order of the writes; values that the encoder
/// refuses select nothing.
[[nodiscard]] std::vector<encoder::Selection> program_selections(std::string_view target,
                                                                 std::vector<encoder::RegisterValue> registers,
                                                                 std::span<const pmu::AccessReport> accesses);

/// A sentence about a counter whose interrupt is enabled but masked at the end of the run.
[[nodiscard]] std::vector<std::string> interrupt_notes(const MonitorResult& result, std::string_view counter);

}  // namespace pmusim::testbench
