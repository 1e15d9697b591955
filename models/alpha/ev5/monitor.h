// The performance counters of the 21164 (EV5, EV56) and the 21164PC (PCA56): three counters and their controls in one
// register, PMCTR.
#pragma once

#include <memory>
#include <span>

#include "models/alpha/ev5/registers.h"
#include "models/alpha/monitor.h"

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
