// Reasons why no request sets certain bits of IA-64 registers.
#pragma once

#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::ia64 {

inline constexpr std::string_view arms = "it arms a breakpoint, which is none of the monitor's";
inline constexpr std::string_view no_levels = "the monitor does not look at the levels of a data range";
inline constexpr NeverAsked freeze{"PMC0", "fr", "1", started_last}, overflow{"PMC0", "overflow", "1", started_last},
    reads{"DBR", "r", "1", arms}, writes{"DBR", "w", "1", arms}, executes{"IBR", "x", "1", arms},
    data_levels{"DBR", "plm", "", no_levels};

inline constexpr PerfFacts no_perf{nullptr,
                                   "Linux never had a driver of perf for the Itaniums; perfmon writes the registers"};

}  // namespace pmusim::testbench::ia64
