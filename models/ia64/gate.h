// The conditions under which a monitor of an IA-64 PMU runs. Sources: SDM volume 2, 7.2.1; instruction set mask:
// VTune's event dialog.
#pragma once

#include <cstdint>

#include "models/activity/ia64.h"

namespace pmusim::pmu::ia64 {

/// The fields of a configuration register that select the processor states in which its monitor runs.
struct Gate {
  unsigned levels = 0;      ///< plm: bit n: the monitor runs at privilege level n
  bool privileged = false;  ///< pm: the monitor runs while PSR.pp is 1; else while PSR.up is 1
  unsigned isa = 0;         ///< ism: 0 both instruction sets, 1 IA-32 only, 2 IA-64 only, 3 neither

  [[nodiscard]] constexpr bool at_level(unsigned cpl) const { return (levels >> cpl & 1) != 0; }
  [[nodiscard]] constexpr bool run_by(std::uint64_t psr) const {
    return (psr & (privileged ? activity::ia64::psr::pp : activity::ia64::psr::up)) != 0;
  }
  [[nodiscard]] constexpr bool in_instruction_set(std::uint64_t psr) const {
    const bool ia32 = (psr & activity::ia64::psr::is) != 0;
    return isa == 0 || (isa == 1 && ia32) || (isa == 2 && !ia32);
  }
  [[nodiscard]] constexpr bool runs(std::uint64_t psr, unsigned cpl) const {
    return at_level(cpl) && run_by(psr) && in_instruction_set(psr);
  }
};

}  // namespace pmusim::pmu::ia64
