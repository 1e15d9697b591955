// Small IA-64 programs as text traces, at 0x4000000000000400.
#pragma once

#include <string>

namespace pmusim::cli_test {

/// Bundles of three NOPs in a row, each a group.
[[nodiscard]] std::string ia64_nops(unsigned count);
/// A loop of two bundles: a load from another page each time, and a branch back, taken all times but the last.
[[nodiscard]] std::string ia64_loop(unsigned rounds);

}  // namespace pmusim::cli_test
