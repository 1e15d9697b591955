// The privilege levels of an event string, as the mask of the IA-64 registers.
#pragma once

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

/// Levels 0 and 3, which operating systems use: the mask for u and k together, or if neither is named.
inline constexpr std::uint32_t kUserAndKernel = 9;

/// The level mask of a request: u is level 3, k is level 0, plm is the mask. A contradicting plm is an error.
[[nodiscard]] Result<std::uint32_t> levels_of(const Request& request);

}  // namespace pmusim::encoder::ia64
