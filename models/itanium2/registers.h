// Registers of the Itanium 2 performance monitor: numbers, fields, values after reset and the bits that a write can
// change. Sources: Linux ia64 perfmon (reset and write masks), libpfm-3 (layouts), SDM volume 2, chapter 7.
#pragma once

#include <array>
#include <cstdint>

namespace pmusim::pmu::itanium2 {

inline constexpr unsigned counters = 4;
inline constexpr unsigned first_counter = 4;  ///< PMC4/PMD4
inline constexpr unsigned pmcs = 16;
inline constexpr unsigned pmds = 18;
inline constexpr unsigned breakpoints = 8;  ///< IBR0-7, DBR0-7
inline constexpr unsigned pmv = 73;         ///< control register number

struct ControlBits {
  std::uint64_t reset;
  std::uint64_t writable;
};
inline constexpr std::uint64_t counter_writable = 0x0fff'ff7f;
inline constexpr std::uint64_t matcher_writable = 0xffff'ffff'3fff'fffb;
inline constexpr std::array<ControlBits, pmcs> pmc_bits{{
    {1, 0xf1},
    {0, 0},
    {0, 0},
    {0, 0},
    {0x80'0000, counter_writable},
    {0, counter_writable},
    {0, counter_writable},
    {0, counter_writable},
    {0xffff'ffff'3fff'ffff, matcher_writable},
    {0xffff'ffff'3fff'fffc, matcher_writable},
    {0, 0xffff},
    {0, 0x030f'01cf},
    {0, 0xffff},
    {0x2078'fefe'fefe, 0x0001'e000'1818'1818},
    {0x0db6'0db6'0db6'0db6, 0x2492},
    {0xffff'fff0, 0xf},
}};

namespace pmc0 {
inline constexpr std::uint64_t fr = 1;
inline constexpr unsigned overflow_shift = 4;
inline constexpr std::uint64_t implemented = 0xf1;
}  // namespace pmc0

/// PMC4-7, and where the same field is in PMC11.
namespace config {
inline constexpr std::uint64_t plm = 0xf;
inline constexpr std::uint64_t oi = 1u << 5;
inline constexpr std::uint64_t pm = 1u << 6;
inline constexpr unsigned event_shift = 8;
inline constexpr unsigned umask_shift = 16;
inline constexpr unsigned threshold_shift = 20;
inline constexpr std::uint64_t enable = 1u << 23;  ///< PMC4 only
inline constexpr unsigned ism_shift = 24;
}  // namespace config

/// PMC8, PMC9.
namespace matcher {
inline constexpr std::uint64_t ig_ad = 1;
inline constexpr std::uint64_t inv = 2;
inline constexpr unsigned mask_shift = 3;
inline constexpr unsigned match_shift = 33;
inline constexpr std::uint64_t field_mask = 0x7ff'ffff;  ///< 27 bits: instruction bits 40:27 and 12:0
inline constexpr unsigned types_shift = 60;              ///< b, f, i, m
inline constexpr unsigned low_bits = 13;
inline constexpr unsigned high_shift = 27;
}  // namespace matcher

namespace pmc10 {
inline constexpr std::uint64_t pm = 1u << 4;
inline constexpr unsigned umask_shift = 5;
inline constexpr std::uint64_t cache_umask = 0xff, tlb_umask = 0x7f;
inline constexpr unsigned ct_shift = 12;
inline constexpr unsigned ism_shift = 14;
}  // namespace pmc10

namespace pmc11 {
inline constexpr unsigned mode_shift = 7;
}  // namespace pmc11

namespace pmc12 {
inline constexpr std::uint64_t ds = 1u << 7;
inline constexpr unsigned tm_shift = 8, ptm_shift = 10, ppm_shift = 12, brt_shift = 14;
}  // namespace pmc12

namespace pmc13 {
inline constexpr unsigned cfg_shift = 3, cfg_distance = 8;
inline constexpr unsigned ena_shift = 45;
}  // namespace pmc13

namespace pmc14 {
inline constexpr unsigned ibrp_shift = 1, ibrp_distance = 3;
inline constexpr std::uint64_t fine = 1u << 13;
}  // namespace pmc14

namespace pmd16 {
inline constexpr std::uint64_t next = 7, full = 8;
inline constexpr unsigned flags_shift = 4, flags_distance = 4;  ///< of each entry: b1, bruflush
inline constexpr std::uint64_t flags_mask = 3;
}  // namespace pmd16

/// Bits of PMD0, 1, 2, 3 and 17 that are there.
inline constexpr std::uint64_t pmd0_bits = ~std::uint64_t{0x1c}, pmd1_bits = 0x1fff, pmd3_bits = 0xffff;

inline constexpr std::uint64_t pmv_masked = 1u << 16;  ///< value after reset

}  // namespace pmusim::pmu::itanium2
