// Sampling with the counters of IA-64 processors.
#pragma once

#include "testbench/driver/session_facts.h"

namespace pmusim::testbench::ia64 {

/// Overflow is the carry out of bit 46, seen in PMC0, which also holds the freeze until it is written 0 (SDM volume 2,
/// 7.2).
inline constexpr SamplingRule sampling{
    47, std::uint64_t{1} << 47, "PMC0", 0, true, std::uint64_t{1} << 47, "", "PMC0", 0, 0};
/// The vector that Linux uses, unmasked.
inline constexpr InterruptEntry delivery{"PMV", 0xee};

}  // namespace pmusim::testbench::ia64
