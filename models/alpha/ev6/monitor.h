// The performance counters of the 21264 (EV6) and 21264A (EV67): two counters of 20 bits in one register, PCTR_CTL, and
// on the 21264A ProfileMe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/alpha/ev6/profile_me.h"
#include "models/alpha/ev6/registers.h"
#include "models/alpha/monitor.h"

namespace pmusim::pmu::alpha {

/// The inputs of the counters of the 21264. SL0 selects for counter 0, SL1 for counter 1.
[[nodiscard]] std::span<const Event> ev6_multiplexer();
/// The inputs of the counters of the 21264A; SL1 selects for both.
[[nodiscard]] std::span<const Event> ev67_multiplexer();

class Ev6Monitor final : public AlphaMonitor {
 public:
  /// `table` must be the table of the behaviour's chip and must outlive the monitor.
  Ev6Monitor(const Behaviour& behaviour, std::span<const Event> table);
  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<Ev6Monitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const Ev6Monitor&>(other); }
  void reset() override { *this = Ev6Monitor(behaviour_, table_); }
  [[nodiscard]] std::span<const RegisterInfo> registers() const override;
  [[nodiscard]] std::vector<std::string> not_modelled() const override;
  [[nodiscard]] std::span<const Indicator> indicators() const override;
  [[nodiscard]] std::uint64_t indicator(std::size_t i) const override;
  /// ProfileMe follows an instruction through many signals. Signal::kill is needed because interrupts are also taken
  /// after no-operations.
  [[nodiscard]] activity::Subscription subscription() const override {
    if (profiles()) return activity::Subscription::everything();
    activity::Subscription all = AlphaMonitor::subscription();
    all.add(activity::Signal::kill);
    return all;
  }

 private:
  [[nodiscard]] std::uint64_t value_of(std::uint32_t ipr) const override;
  void set_value(std::uint32_t ipr, std::uint64_t value) override;
  [[nodiscard]] Stretch gates(const Block& block, Cycle at, Cycle to) const override;
  [[nodiscard]] unsigned requesting() const override { return profiles() ? 0u : 3u; }
  [[nodiscard]] unsigned enabled() const override {
    return behaviour_.enables_elsewhere ? 3 : static_cast<unsigned>(ier_cm_ >> ev6::interrupt_shift & 3);
  }
  void count(const Block& block, Stretch& stretch) override;
  void stand_still(Cycle cycles) override { profile_.stand_still(cycles); }
  [[nodiscard]] Cycle quiet() const override;

  [[nodiscard]] bool is_ev67() const { return behaviour_.chip == Chip::ev67; }
  [[nodiscard]] bool follows_instructions() const override { return profiles(); }
  [[nodiscard]] bool profiles() const { return is_ev67() && (selects_ & ev6::pctr_ctl::sl0) != 0; }
  [[nodiscard]] unsigned sl1() const;
  void write_pctr_ctl(std::uint64_t value);
  [[nodiscard]] std::uint64_t read_pctr_ctl() const;
  void select_instruction(const Block& block, Stretch& stretch);
  void follow_instruction(const Block& block, Stretch& stretch);
  void add(unsigned counter, const Block& block, Cycle from, Cycle to);
  void note_increments(const Block& block, const Stretch& stretch);

  std::span<const Event> table_;
  std::uint64_t selects_ = 0;  ///< PCTR_CTL SL0, SL1
  std::uint64_t i_ctl_ = 0;
  std::uint64_t pctx_ = 0;
  std::uint64_t ier_cm_ = 0;
  std::array<std::uint32_t, ev6::counters> increments_{};  ///< added to a read of a counter that is off
  ProfileMe profile_;
  bool sampled_ = false;  ///< ProfileMe completed its sample in the last stretch
};

/// SL1 values of the 21264A: counter 1 counts the retire delay (ProfileMe); counter 1 counts Bcache misses.
inline constexpr unsigned retire_delay_mode = 1;
inline constexpr unsigned bcache_mode = 2;

}  // namespace pmusim::pmu::alpha
