// A counter without a register of its own: firmware reads and writes it on behalf of software.
#pragma once

#include <cstdint>
#include <string_view>

namespace pmusim::pmu {

/// A counter: bits of a register, or a divider that software cannot access.
struct FirmwareCounter {
  std::string_view name;  ///< CTR0, PCTR1
  unsigned number = 0;
  std::string_view reg = {};  ///< register that contains it: PMCTR, PCTR_CTL; empty: not accessible
  unsigned shift = 0;
  unsigned bits = 0;
  [[nodiscard]] constexpr std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};

}  // namespace pmusim::pmu
