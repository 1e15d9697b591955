// Small IA-64 programs as text traces, at 0x4000000000000400.
#pragma once

#include <string>

namespace pmusim::cli_test {

/// Consecutive bundles of three NOPs, each an instruction group.
[[nodiscard]] std::string ia64_nops(unsigned count);
/// A loop of two bundles: a load from a new page in each round, and a branch back, taken in all rounds except the last.
[[nodiscard]] std::string ia64_loop(unsigned rounds);

}  // namespace pmusim::cli_test
