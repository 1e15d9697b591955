// Registers of the performance counters of the 21164 and 21164PC: numbers of internal processor registers, and fields.
// Sources: Digital's EV5 PALcode and its headers, Alpha Architecture Handbook version 4 appendix E, 21164PC manual.
#pragma once

#include <cstdint>

namespace pmusim::pmu::alpha::ev5 {

inline constexpr unsigned counters = 3;

/// Internal processor registers. The registers of the Cbox and the CBU are in memory space; their numbers are the low
/// digits of their addresses.
namespace ipr {
inline constexpr std::uint32_t isr = 0x100;
inline constexpr std::uint32_t hwint_clr = 0x115;
inline constexpr std::uint32_t icsr = 0x118;
inline constexpr std::uint32_t pmctr = 0x11c;
inline constexpr std::uint32_t bc_ctl = 0x128;      ///< 21164, write only
inline constexpr std::uint32_t cbu_config = 0x188;  ///< 21164PC, write only
}  // namespace ipr

namespace pmctr {
struct Field {
  unsigned shift;
  unsigned bits;
  [[nodiscard]] constexpr std::uint64_t mask() const { return ((std::uint64_t{1} << bits) - 1) << shift; }
  [[nodiscard]] constexpr std::uint64_t of(std::uint64_t value) const { return (value & mask()) >> shift; }
  [[nodiscard]] constexpr std::uint64_t put(std::uint64_t field) const { return field << shift & mask(); }
};
inline constexpr Field counter[counters] = {{48, 16}, {32, 16}, {16, 14}};  ///< CTR0-2
inline constexpr Field control[counters] = {{14, 2}, {12, 2}, {10, 2}};     ///< CTL0-2
inline constexpr Field select[counters] = {{31, 1}, {4, 4}, {0, 4}};        ///< SEL0-2
inline constexpr std::uint64_t kill_user = 1u << 30;
inline constexpr std::uint64_t kill_pal = 1u << 9;
inline constexpr std::uint64_t kill_kernel = 1u << 8;
inline constexpr std::uint64_t kills = kill_user | kill_pal | kill_kernel;
}  // namespace pmctr

/// Values of CTL0-2.
namespace control {
inline constexpr std::uint64_t off = 0;
inline constexpr std::uint64_t counts = 1;
inline constexpr std::uint64_t long_period = 2;   ///< interrupts when the counter wraps
inline constexpr std::uint64_t short_period = 3;  ///< interrupts every 256 events
}  // namespace control

namespace icsr {
inline constexpr std::uint64_t pma = 1u << 8;  ///< count for all processes
inline constexpr std::uint64_t pmp = 1u << 9;  ///< the running process has PME set
}  // namespace icsr

/// ISR and HWINT_CLR: bit of counter 0; the bits of counters 1 and 2 follow.
inline constexpr unsigned interrupt_shift = 27;

/// BC_CTL PM_MUX_SEL and CBU_CONFIG PM0_MUX, PM1_MUX: selects of counters 1 and 2.
inline constexpr unsigned second_shift[2] = {19, 22};
inline constexpr unsigned pca56_second_shift[2] = {8, 11};
inline constexpr std::uint64_t second_mask = 7;

/// The SEL1 value whose event SEL2 = 2 and 3 narrow, and the value of SEL1 and SEL2 that enables the second select.
inline constexpr std::uint8_t flow_change = 0x8;
inline constexpr std::uint8_t second_select = 0xf;

}  // namespace pmusim::pmu::alpha::ev5
