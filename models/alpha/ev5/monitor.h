// The performance counters of the 21164 (EV5, EV56) and the 21164PC (PCA56): three counters and their controls in one
// register, PMCTR.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "models/alpha/monitor.h"

// Registers of the performance counters of the 21164 and 21164PC: numbers of internal processor registers, and fields.
// Sources: Digital's EV5 PALcode and its headers, Alpha Architecture Handbook version 4 appendix E, 21164PC manual.
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

namespace pmusim::pmu::alpha {

/// The inputs of the counters of the 21164 and of the 21164PC.
[[nodiscard]] std::span<const Event> ev5_multiplexer();
[[nodiscard]] std::span<const Event> pca56_multiplexer();

class Ev5Monitor final : public AlphaMonitor {
 public:
  /// `table` must be the table of the behaviour's chip and must outlive the monitor.
  Ev5Monitor(const Behaviour& behaviour, std::span<const Event> table);
  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<Ev5Monitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const Ev5Monitor&>(other); }
  void reset() override { *this = Ev5Monitor(behaviour_, table_); }
  [[nodiscard]] std::span<const RegisterInfo> registers() const override;

 private:
  [[nodiscard]] std::uint64_t value_of(std::uint32_t ipr) const override;
  void set_value(std::uint32_t ipr, std::uint64_t value) override;
  [[nodiscard]] Stretch gates(const Block& block, Cycle at, Cycle to) const override;
  [[nodiscard]] unsigned requesting() const override;
  [[nodiscard]] unsigned enabled() const override { return 7; }
  [[nodiscard]] std::uint64_t control(unsigned i) const { return ev5::pmctr::control[i].of(pmctr_); }
  void configure();

  std::span<const Event> table_;
  std::uint64_t pmctr_ = 0;  ///< without the counters
  std::uint64_t icsr_ = 0;
  std::uint64_t second_ = 0;  ///< BC_CTL or CBU_CONFIG
};

}  // namespace pmusim::pmu::alpha
