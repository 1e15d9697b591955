// The privilege levels that an event string asks for, as the mask of the IA-64 registers.
#pragma once

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

/// Levels 0 and 3, the ones that operating systems use: u and k together, or neither.
inline constexpr std::uint32_t kUserAndKernel = 9;

/// u is level 3, k is level 0, plm the mask itself; plm together with a different u or k is an error.
[[nodiscard]] Result<std::uint32_t> levels_of(const Request& request);

}  // namespace pmusim::encoder::ia64
