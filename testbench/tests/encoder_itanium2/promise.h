// What the manual pages promise of address ranges, checked on an answer alone: each range is covered, the offsets say
// by how much it is exceeded, and every register has its own number. Written from the description of the debug
// registers, apart from the encoder's own.
#pragma once

#include <string>

#include "json_case.h"

namespace pmusim::encoder::test {

/// What the address ranges of a processor are made of.
struct RangeHardware {
  unsigned page_order;    ///< fine mode: log2 of the page
  unsigned granule;       ///< fine mode: bytes that are compared together
  unsigned data_control;  ///< PMC that switches data ranges on
};
inline constexpr RangeHardware kItanium2Ranges{12, 32, 13};
inline constexpr RangeHardware kMontecitoRanges{16, 16, 41};

/// Empty when the answer keeps the promise or is a refusal; else what is wrong.
[[nodiscard]] std::string broken_promise(const Json& in, const Json& out,
                                         const RangeHardware& hardware = kItanium2Ranges);

/// How many of the addresses lie in the ranges asked for.
[[nodiscard]] std::size_t addresses_inside(const Json& limits, const Json& addresses);
/// How many of them the registers of an answer let through; all, when data ranges are left off.
[[nodiscard]] std::size_t addresses_passed(const Json& out, const std::string& range, const Json& addresses,
                                           const RangeHardware& hardware = kItanium2Ranges);

}  // namespace pmusim::encoder::test
