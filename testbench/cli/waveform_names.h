// What the encoder knows of a programming, as names of a waveform: events of counters, fields of registers.
#pragma once

#include "testbench/cli/programmed.h"
#include "testbench/driver/waveform_plan.h"

namespace pmusim::testbench {

/// An event without its target and without attributes that have their default.
[[nodiscard]] std::string short_event(std::string_view target, const std::string& canonical);
/// `latched`: registers beside the encoder's that hardware fills, by name.
[[nodiscard]] WaveformPlan waveform_plan(const SessionSetup& setup, std::span<const ProgrammedCounter> counters,
                                         std::span<const std::string_view> latched);
/// The groups of signals that a text like "counters,pmu" names; "all" is all of them. Throws UsageError.
[[nodiscard]] std::uint32_t wave_groups(const std::string& text);

}  // namespace pmusim::testbench
