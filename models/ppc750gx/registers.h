// Registers of the 750GX performance monitor: numbers and fields. Source: IBM PowerPC 750GX and 750GL User's
// Manual v1.2, chapter 11 and pages 72-74. IBM numbers bit 0 as the most significant of 32; the masks below
// are on the 32-bit value.
#pragma once

#include <cstdint>

namespace pmusim::pmu::ppc750gx {

/// SPR numbers. The number of the user copy of a monitor register is the number of the supervisor register minus 16.
namespace spr {
inline constexpr std::uint32_t mmcr0 = 952;
inline constexpr std::uint32_t pmc1 = 953;
inline constexpr std::uint32_t pmc2 = 954;
inline constexpr std::uint32_t sia = 955;
inline constexpr std::uint32_t mmcr1 = 956;
inline constexpr std::uint32_t pmc3 = 957;
inline constexpr std::uint32_t pmc4 = 958;
inline constexpr std::uint32_t sda = 959;  ///< exists on other 750s, not here
inline constexpr std::uint32_t iabr = 1010;
inline constexpr std::uint32_t tbl_read = 268;
inline constexpr std::uint32_t tbu_read = 269;
inline constexpr std::uint32_t tbl_write = 284;
inline constexpr std::uint32_t tbu_write = 285;
inline constexpr std::uint32_t user_copy = 16;   ///< supervisor number - user number
inline constexpr std::uint32_t privileged = 16;  ///< this bit of an SPR number marks supervisor registers
}  // namespace spr

/// MMCR0, SPR 952.
namespace mmcr0 {
inline constexpr std::uint32_t dis = 0x8000'0000;            ///< bit 0: no counting
inline constexpr std::uint32_t dp = 0x4000'0000;             ///< bit 1: no counting while MSR[PR] = 0
inline constexpr std::uint32_t du = 0x2000'0000;             ///< bit 2: no counting while MSR[PR] = 1
inline constexpr std::uint32_t dms = 0x1000'0000;            ///< bit 3: no counting while MSR[PM] = 1
inline constexpr std::uint32_t dmr = 0x0800'0000;            ///< bit 4: no counting while MSR[PM] = 0
inline constexpr std::uint32_t enint = 0x0400'0000;          ///< bit 5: signalling enabled
inline constexpr std::uint32_t discount = 0x0200'0000;       ///< bit 6: counting stops at a signal
inline constexpr unsigned rtcselect_shift = 23;              ///< bits 7:8
inline constexpr std::uint32_t intonbittrans = 0x0040'0000;  ///< bit 9
inline constexpr unsigned threshold_shift = 16;              ///< bits 10:15
inline constexpr std::uint32_t threshold_mask = 0x3f;
inline constexpr std::uint32_t pmc1intcontrol = 0x0000'8000;  ///< bit 16
inline constexpr std::uint32_t pmcintcontrol = 0x0000'4000;   ///< bit 17
inline constexpr std::uint32_t pmctrigger = 0x0000'2000;      ///< bit 18
inline constexpr unsigned pmc1select_shift = 6;               ///< bits 19:25
inline constexpr std::uint32_t pmc1select_mask = 0x7f;
inline constexpr std::uint32_t pmc2select_mask = 0x3f;  ///< bits 26:31
}  // namespace mmcr0

/// MMCR1, SPR 956.
namespace mmcr1 {
inline constexpr unsigned pmc3select_shift = 27;  ///< bits 0:4
inline constexpr unsigned pmc4select_shift = 22;  ///< bits 5:9
inline constexpr std::uint32_t select_mask = 0x1f;
inline constexpr std::uint32_t reserved = 0x003f'ffff;  ///< bits 10:31
}  // namespace mmcr1

/// A counter is regarded as overflowed while its bit 0 is set.
inline constexpr std::uint32_t counter_negative = 0x8000'0000;

/// IABR, SPR 1010: bits 0:29 word address, bit 30 BE, bit 31 TE.
inline constexpr std::uint32_t iabr_te = 1;

inline constexpr unsigned counters = 4;
/// The select code of PMC1 whose event uses THRESHOLD.
inline constexpr unsigned threshold_code = 10;

}  // namespace pmusim::pmu::ppc750gx
