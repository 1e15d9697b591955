// The performance counters of the 21064: two counters that cannot be read, preset or stopped. They count in halves of
// an event, since a cycle that issues one of two instructions counts half an issue.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "models/alpha/monitor.h"

// Registers of the 21064's performance counters: numbers of internal processor registers, and fields. Sources: Tru64
// UNIX sys/pfcntr.h (ICCSR), Digital's ev4.h (the others).
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

namespace pmusim::pmu::alpha {

/// The inputs of the 21064's two counters; selects of PCMUX0 are without the low bit, except 0xB.
[[nodiscard]] std::span<const Event> ev4_multiplexer();

class Ev4Monitor final : public AlphaMonitor {
 public:
  /// `table` must outlive the monitor.
  explicit Ev4Monitor(const Behaviour& behaviour, std::span<const Event> table = ev4_multiplexer());
  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<Ev4Monitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const Ev4Monitor&>(other); }
  void reset() override { *this = Ev4Monitor(behaviour_, table_); }
  [[nodiscard]] std::span<const RegisterInfo> registers() const override;

 private:
  [[nodiscard]] std::uint64_t value_of(std::uint32_t ipr) const override;
  void set_value(std::uint32_t ipr, std::uint64_t value) override;
  [[nodiscard]] Stretch gates(const Block& block, Cycle at, Cycle to) const override;
  [[nodiscard]] unsigned requesting() const override { return 3; }
  [[nodiscard]] unsigned enabled() const override;
  void select();

  std::span<const Event> table_;
  std::uint64_t iccsr_ = 0;
  std::uint64_t hier_ = 0;
  std::uint64_t option_ = ev4::option::all;
};

}  // namespace pmusim::pmu::alpha
