// Writes an encoder's answer to a monitor.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testbench/driver/programming.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::testbench {

/// Writes one register of an answer. Start values are those of the trial: a counter that the answer writes, as drivers
/// do with WRPERFMON_WRITE or PMCTR, gets its former value back. Returns the names of these counters.
std::vector<std::string> write_keeping_counters(Programming& programming, const std::string& reg, std::uint64_t value);
/// Writes the registers of an answer in their order, in this way.
void write_answer(Programming& programming, const Answer& answer);

/// The values of a target's registers after a reset, by name.
[[nodiscard]] const std::map<std::string, std::uint64_t>& reset_values(const std::string& target);

/// The start values that an answer gives by writing counters, by the counters' names.
[[nodiscard]] std::map<std::string, std::uint64_t> written_starts(const models::Target& target,
                                                                  const pmu::Monitor& fresh, const Answer& answer);

}  // namespace pmusim::testbench
