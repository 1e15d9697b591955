// A small PMU of no real processor, to test the parts around PMUs: two counters with event select, threshold, privilege
// filter, overflow interrupt and a pin each. It is documented completely here, so that a test can compute every number
// by hand.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/pmu/monitor.h"
#include "models/pmu/runs.h"

namespace pmusim::testing {

using activity::Block;
using activity::Cycle;

/// Registers, all of space msr: Select0-1 (0, 1) and Count0-1 (8, 9), Status (16, read-only: pending).
///   Select  1:0 event (0 none, 1 retired, 2 clock, 3 load misses outstanding), 2 user only, 3 interrupt,
///           11:8 threshold t (0: add n; else add 1 when n >= t)
///   Count   16 bits; carry out of bit 15 is the overflow: it requests the interrupt and pulses the pin
///           for one cycle, the one after it, unless the pin is high in the cycle of the overflow.
/// Writes need level 0 (general protection otherwise); an increment due in the cycle of a program's write to
/// the counter is lost. Taking needs IF = 1; `skid` cycles pass between request and taking.
class ToyMonitor : public pmu::Monitor {
 public:
  static constexpr unsigned counters = 2;
  static constexpr std::uint64_t modulus = 1u << 16;
  static constexpr std::uint32_t user_only = 4, interrupt = 8, threshold_shift = 8;
  explicit ToyMonitor(Cycle skid = 2) : skid_(skid) {}

  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<ToyMonitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const ToyMonitor&>(other); }
  void reset() override { *this = ToyMonitor(skid_); }
  [[nodiscard]] std::span<const pmu::RegisterInfo> registers() const override;
  pmu::AccessResult read(pmu::RegisterId id, const pmu::Accessor& who) override;
  pmu::AccessResult write(pmu::RegisterId id, std::uint64_t value, const pmu::Accessor& who) override;
  pmu::Consumed consume_with_write(const Block& block, Cycle at, pmu::RegisterId id, std::uint64_t value,
                                   const pmu::Accessor& who, pmu::AccessResult& result) override;
  pmu::Consumed consume(const Block& block, Cycle from, Cycle to) override;
  void interrupt_taken() override { pending_ = false; }
  [[nodiscard]] bool interrupt_pending() const override { return pending_; }
  [[nodiscard]] bool interrupt_enabled(const Block& block, Cycle at) const override {
    return block.state_at(activity::State::interrupt_flag, at) != 0;
  }
  [[nodiscard]] Cycle interrupt_skid() const override { return skid_; }
  [[nodiscard]] Cycle quiet_cycles() const override;
  [[nodiscard]] unsigned pin_count() const override { return counters; }
  void record_pins(bool on) override { record_pins_ = on; }
  [[nodiscard]] std::vector<pmu::PinEdge> take_pin_edges() override;
  [[nodiscard]] unsigned counter_count() const override { return counters; }
  [[nodiscard]] pmu::CounterProbe probe(unsigned i) const override { return probes_[i]; }

 private:
  struct Counter {
    std::uint32_t select = 0;
    std::uint64_t value = 0;
    Cycle pin_low = 0;  ///< cycle from which the pin is low again
  };
  Cycle first_overflow(const Block& block, const Counter& counter, Cycle from, Cycle to) const;
  void count(const Block& block, unsigned index, Cycle from, Cycle to);

  Cycle skid_;
  std::array<Counter, counters> counters_;
  std::array<pmu::CounterProbe, counters> probes_;
  bool pending_ = false;
  bool record_pins_ = false;
  std::vector<pmu::PinEdge> edges_;
};

/// Registers of a ToyMonitor.
inline constexpr pmu::RegisterId select0{pmu::Space::msr, 0}, count0{pmu::Space::msr, 8};

}  // namespace pmusim::testing
