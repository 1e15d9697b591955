// Counters behind raw register values: what they select, what the program itself has made them select, and what keeps
// their interrupts from being delivered.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// What those of the registers select that the encoder knows; counters and breakpoints do not select anything.
[[nodiscard]] encoder::Result<std::vector<encoder::Selection>> raw_selections(
    std::string_view target, std::span<const encoder::RegisterValue> registers);

/// Registers that do not hold what is written to them, for their reserved and fixed bits, as sentences.
[[nodiscard]] std::vector<std::string> lost_bits(const models::Target& target, const models::Parameters& parameters,
                                                 std::span<const encoder::RegisterValue> registers);

/// Everything that is selected after some write of the program, in the order of the writes; values that the encoder
/// refuses select nothing.
[[nodiscard]] std::vector<encoder::Selection> program_selections(std::string_view target,
                                                                 std::vector<encoder::RegisterValue> registers,
                                                                 std::span<const pmu::AccessReport> accesses);

/// That a counter asks for an interrupt which is masked at the end of the run, as a sentence.
[[nodiscard]] std::vector<std::string> interrupt_notes(const MonitorResult& result, std::string_view counter);

}  // namespace pmusim::testbench
