// Registers of the performance counters of the 21264 and 21264A: numbers of internal processor registers, and fields.
// Sources: Alpha 21264/EV67 Hardware Reference Manual chapter 5; Alpha Architecture Handbook version 4 appendix E.
#pragma once

#include <cstdint>

namespace pmusim::pmu::alpha::ev6 {

inline constexpr unsigned counters = 2;
inline constexpr unsigned counter_bits = 20;
inline constexpr std::uint64_t counter_modulus = std::uint64_t{1} << counter_bits;

/// Internal processor registers.
namespace ipr {
inline constexpr std::uint32_t pmpc = 0x05;  ///< 21264A
inline constexpr std::uint32_t ier_cm = 0x0b;
inline constexpr std::uint32_t isum = 0x0d;
inline constexpr std::uint32_t hw_int_clr = 0x0e;
inline constexpr std::uint32_t i_ctl = 0x11;
inline constexpr std::uint32_t pctr_ctl = 0x14;
inline constexpr std::uint32_t i_stat = 0x16;  ///< 21264A
inline constexpr std::uint32_t pctx = 0x40;
}  // namespace ipr

namespace pctr_ctl {
inline constexpr unsigned shift[counters] = {28, 6};  ///< PCTR0, PCTR1
inline constexpr std::uint64_t counter_mask = counter_modulus - 1;
inline constexpr std::uint64_t sl0 = 1u << 4;
inline constexpr std::uint64_t sl1_ev6 = 0xf;            ///< 21264: bits 3:0
inline constexpr unsigned sl1_shift = 2;                 ///< 21264A: bits 3:2
inline constexpr std::uint64_t sl1_ev67 = 3;             ///< see sl1_shift
inline constexpr std::uint64_t pm_stalled = 1u << 27;    ///< 21264A, read only
inline constexpr std::uint64_t pm_killed_bm = 1u << 26;  ///< 21264A, read only
inline constexpr std::uint64_t val = 1u << 1;            ///< 21264A, read only
inline constexpr std::uint64_t tak = 1u << 0;            ///< 21264A, read only
inline constexpr unsigned sign_bit = 47;                 ///< bits 63:48 are copies of it
}  // namespace pctr_ctl

namespace i_ctl {
inline constexpr std::uint64_t spce = 1u << 0;  ///< count for all processes
inline constexpr unsigned pct_en_shift = 18;    ///< PCT0_EN, PCT1_EN
}  // namespace i_ctl

namespace pctx {
inline constexpr std::uint64_t ppce = 1u << 1;  ///< the running process has PME set
}  // namespace pctx

/// IER_CM PCEN, ISUM PC, HW_INT_CLR PC: bit of counter 0; counter 1 follows.
inline constexpr unsigned interrupt_shift = 29;

namespace i_stat {
inline constexpr std::uint64_t mis = std::uint64_t{1} << 40;
inline constexpr std::uint64_t trp = std::uint64_t{1} << 39;
inline constexpr std::uint64_t lso = std::uint64_t{1} << 38;
inline constexpr unsigned trap_type_shift = 34;  ///< bits 37:34
inline constexpr std::uint64_t icm = std::uint64_t{1} << 33;
inline constexpr unsigned ovr_shift = 30;  ///< bits 32:30
inline constexpr std::uint64_t most_overcount = 7;
}  // namespace i_stat

/// The distance to overflow that a counter must have when it is written: the most that one cycle adds.
inline constexpr std::uint64_t margin[counters] = {16, 4};

}  // namespace pmusim::pmu::alpha::ev6
