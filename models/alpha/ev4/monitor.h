// The performance counters of the 21064: two counters that cannot be read, preset or stopped. They count in halves of
// an event, since a cycle that issues one of two instructions counts half an issue.
#pragma once

#include <memory>
#include <span>

#include "models/alpha/ev4/registers.h"
#include "models/alpha/monitor.h"

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
