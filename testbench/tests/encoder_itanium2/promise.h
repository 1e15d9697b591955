// The promises of the manual pages about address ranges, checked on an answer alone: each range is covered, the offsets
// give the excess, and every register has its own number. Written from the description of the debug registers,
// independently of the encoder.
#pragma once

#include <string>

#include "json_case.h"

namespace pmusim::encoder::test {

/// Properties of the address ranges of a processor.
struct RangeHardware {
  unsigned page_order;    ///< fine mode: log2 of the page
  unsigned granule;       ///< fine mode: bytes that are compared together
  unsigned data_control;  ///< PMC that enables data ranges
};
inline constexpr RangeHardware kItanium2Ranges{12, 32, 13};
inline constexpr RangeHardware kMontecitoRanges{16, 16, 41};

/// Empty if the answer keeps the promise or is a refusal; otherwise a description of the error.
[[nodiscard]] std::string broken_promise(const Json& in, const Json& out,
                                         const RangeHardware& hardware = kItanium2Ranges);

/// The number of addresses in the requested ranges.
[[nodiscard]] std::size_t addresses_inside(const Json& limits, const Json& addresses);
/// The number of addresses that pass the registers of an answer; all, if data ranges are not enabled.
[[nodiscard]] std::size_t addresses_passed(const Json& out, const std::string& range, const Json& addresses,
                                           const RangeHardware& hardware = kItanium2Ranges);

}  // namespace pmusim::encoder::test
