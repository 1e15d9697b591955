// What is particular about driving an Alpha: PALcode programs its counters (WRPERFMON).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/alpha/wrperfmon.h"
#include "testbench/driver/alpha_counters.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// The Alpha that a target is; none for other targets.
[[nodiscard]] std::optional<pmu::AlphaChip> alpha_chip(std::string_view target);

/// Null for an unknown name of a counter; case does not matter.
[[nodiscard]] const AlphaCounter* find_alpha_counter(pmu::AlphaChip chip, std::string_view name);

/// Function code of WRPERFMON by the encoder's name for the call: WRPERFMON_SELECT.
[[nodiscard]] std::optional<std::uint64_t> wrperfmon_function(std::string_view name);
/// WRPERFMON on a processor whose registers are reached over a bus, which has to outlive it.
[[nodiscard]] pmu::Wrperfmon wrperfmon_on(pmu::AlphaChip chip, RegisterBus& bus);

}  // namespace pmusim::testbench
