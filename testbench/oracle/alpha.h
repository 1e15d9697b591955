// The Alpha-specific part of a request.
#pragma once

#include <cstdint>

namespace pmusim::oracle::alpha {

/// The changes of flow that FLOW_CHANGE counts on the 21164. The hardware derives them from the input of counter 2.
enum class Flow : std::uint8_t { all, jumps, conditional_branches };

/// Qualifiers of the 21164's counters, beside Request::user and Request::kernel (kernel, executive and supervisor mode)
/// of the hardware's modes; the operating system's user code runs in executive mode (pmu.os_user_mode).
struct Qualifiers {
  bool pal = true;                        ///< PALmode
  bool executive_and_supervisor = false;  ///< of the kernel's modes, these two; for Request::kernel = false
  Flow flow = Flow::all;
  friend bool operator==(const Qualifiers&, const Qualifiers&) = default;
};

}  // namespace pmusim::oracle::alpha
