// Registers of the 21064's performance counters: numbers of internal processor registers, and fields. Sources: Tru64
// UNIX sys/pfcntr.h (ICCSR), Digital's ev4.h (the others).
#pragma once

#include <cstdint>

namespace pmusim::pmu::alpha::ev4 {

inline constexpr unsigned counters = 2;

/// Internal processor registers.
namespace ipr {
inline constexpr std::uint32_t iccsr = 0x02;
inline constexpr std::uint32_t hirr = 0x0c;
inline constexpr std::uint32_t hier = 0x10;
inline constexpr std::uint32_t sl_clr = 0x13;
/// Not a register of the chip: the option that PALcode stores for function 3 of WRPERFMON. Its number is above those of
/// the chip's registers.
inline constexpr std::uint32_t pme_option = 0x100;
}  // namespace ipr

namespace iccsr {
inline constexpr std::uint64_t pc1 = 1u << 0;  ///< period of counter 1: 1 = 2^8 events, 0 = 2^12
inline constexpr std::uint64_t pc0 = 1u << 3;  ///< period of counter 0: 1 = 2^12 events, 0 = 2^16
inline constexpr unsigned pcmux0_shift = 8;    ///< bits 11:8
inline constexpr unsigned pcmux1_shift = 32;   ///< bits 34:32
inline constexpr std::uint64_t pcmux0_mask = 0xf;
inline constexpr std::uint64_t pcmux1_mask = 7;
inline constexpr std::uint64_t counting = pc1 | pc0 | pcmux0_mask << pcmux0_shift | pcmux1_mask << pcmux1_shift;
}  // namespace iccsr

/// HIRR: pending requests, read only.
namespace hirr {
inline constexpr std::uint64_t pc1 = 1u << 8;
inline constexpr std::uint64_t pc0 = 1u << 9;
}  // namespace hirr

/// HIER as written: 1 enables. SL_CLR: 0 clears the request.
namespace hier {
inline constexpr std::uint64_t pc0 = 1u << 8;
inline constexpr std::uint64_t pc1 = 1u << 15;
}  // namespace hier

/// The logging option: the processes that are counted.
namespace option {
inline constexpr std::uint64_t all = 1;     ///< all processes
inline constexpr std::uint64_t marked = 2;  ///< processes with PME set
}  // namespace option

}  // namespace pmusim::pmu::alpha::ev4
