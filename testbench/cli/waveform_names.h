// Names for a waveform, from the encoder: events of counters, fields of registers.
#pragma once

#include "testbench/cli/programmed.h"
#include "testbench/driver/waveform_plan.h"

namespace pmusim::testbench {

/// The event without its target and without attributes at their defaults.
[[nodiscard]] std::string short_event(std::string_view target, const std::string& canonical);
/// `latched`: names of registers, besides the encoder's, that hardware fills.
[[nodiscard]] WaveformPlan waveform_plan(const SessionSetup& setup, std::span<const ProgrammedCounter> counters,
                                         std::span<const std::string_view> latched);
/// Parses the groups of signals in a text like "counters,pmu"; "all" is all of them. Throws UsageError.
[[nodiscard]] std::uint32_t wave_groups(const std::string& text);
/// Parses a number of cycles of at least 1, or "all". Throws UsageError.
[[nodiscard]] std::uint64_t wave_cycles(const std::string& text);

}  // namespace pmusim::testbench
