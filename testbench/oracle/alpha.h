// What a request to an Alpha's counter may add.
#pragma once

#include <cstdint>

namespace pmusim::oracle::alpha {

/// Which changes of flow FLOW_CHANGE counts on the 21164; hardware takes that from the input of counter 2.
enum class Flow : std::uint8_t { all, jumps, conditional_branches };

/// Qualifiers of the 21164's counters, beside Request::user and Request::kernel (kernel, executive and supervisor mode)
/// of the hardware's modes; the operating system's user code runs in executive mode (pmu.os_user_mode).
struct Qualifiers {
  bool pal = true;                        ///< PALmode
  bool executive_and_supervisor = false;  ///< these two of the kernel's modes, where Request::kernel is false
  Flow flow = Flow::all;
  friend bool operator==(const Qualifiers&, const Qualifiers&) = default;
};

}  // namespace pmusim::oracle::alpha
