// Details of Signal::kill.
#pragma once

#include <cstdint>

namespace pmusim::activity::detail {

/// It leaves in program order, after everything older: an instruction that has no work to do (21264: no-operations).
/// Interrupts can be taken after it as after a retirement.
inline constexpr std::uint16_t kill_in_order = 0x0001;

}  // namespace pmusim::activity::detail
