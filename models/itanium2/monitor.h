// The Itanium 2 performance monitor: four counters, event address registers, branch trace buffer, freeze and
// interrupt. What documents leave open is in Behaviour.
//
// A stretch of cycles in which neither the processor's mode nor the freeze bit changes is consumed in one go; it ends
// behind the cycle in which a counter with oi = 1 wraps. Registers that hardware updates go along with it, so the
// cycles of their captures are known before the counters count them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/ia64/branch_ring.h"
#include "models/ia64/counter.h"
#include "models/ia64/data_ear.h"
#include "models/ia64/events.h"
#include "models/ia64/fetch_ear.h"
#include "models/ia64/gate.h"
#include "models/itanium2/behaviour.h"
#include "models/itanium2/events.h"
#include "models/itanium2/registers.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::itanium2 {

class Itanium2Monitor final : public Monitor {
 public:
  /// `events` must outlive the monitor and its copies.
  explicit Itanium2Monitor(const models::Parameters& parameters, std::span<const ia64::Event> events = multiplexer());

  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<Itanium2Monitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const Itanium2Monitor&>(other); }
  void reset() override;

  [[nodiscard]] std::span<const RegisterInfo> registers() const override;
  AccessResult read(RegisterId id, const Accessor& who) override;
  AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) override;
  Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value, const Accessor& who,
                              AccessResult& result) override;

  Consumed consume(const Block& block, Cycle from, Cycle to) override;
  void interrupt_taken() override { pending_ = false; }
  [[nodiscard]] bool interrupt_pending() const override { return pending_; }
  [[nodiscard]] bool interrupt_enabled(const Block& block, Cycle at) const override;
  [[nodiscard]] Cycle interrupt_skid() const override { return behaviour_.interrupt_latency; }
  [[nodiscard]] Cycle quiet_cycles() const override;

  [[nodiscard]] unsigned counter_count() const override { return counters; }
  [[nodiscard]] CounterProbe probe(unsigned i) const override { return probes_.at(i); }
  [[nodiscard]] std::vector<std::string> not_modelled() const override;

 private:
  /// The registers that hardware fills, with what is on its way into them.
  struct Capturing {
    ia64::DataEar data_ear;
    ia64::FetchEar fetch_ear;
    ia64::BranchRing branch_ring{8};
  };
  /// Cycles of captures in the stretch at hand.
  struct Captures {
    std::vector<Cycle> data_ear, fetch_ear, branch_ring;
    void clear() {
      data_ear.clear();
      fetch_ear.clear();
      branch_ring.clear();
    }
  };
  /// Cycles [begin, end) with the same mode and freeze bit.
  struct Stretch {
    Cycle begin;
    Cycle end;
    ia64::Mode mode;
    bool running;  ///< the core clock runs
    bool level_changed, isa_changed;
  };

  // registers (access.cpp)
  [[nodiscard]] Fault access_fault(RegisterId id, bool is_write, const Accessor& who) const;
  [[nodiscard]] bool hidden(std::uint32_t pmd, const Accessor& who) const;
  [[nodiscard]] std::uint64_t pmc(std::uint32_t number) const;
  [[nodiscard]] std::uint64_t pmd(std::uint32_t number) const;
  void set_pmc(std::uint32_t number, std::uint64_t value);
  void set_pmd(std::uint32_t number, std::uint64_t value);

  // what registers mean (configuration.cpp)
  void configure(std::uint32_t pmc_number);
  void configure_all();
  void select();
  void set_tags();
  void set_data_ear();
  void set_fetch_ear();
  void set_branch_ring();
  [[nodiscard]] unsigned umask_of(unsigned i) const;
  [[nodiscard]] bool breaks_rules(unsigned i, const ia64::Event& event) const;

  // counting
  [[nodiscard]] bool frozen() const { return (pmc_[0] & pmc0::fr) != 0; }
  [[nodiscard]] bool enabled() const { return (pmc_[first_counter] & config::enable) != 0; }
  [[nodiscard]] bool interrupts(unsigned i) const { return (pmc_[first_counter + i] & config::oi) != 0; }
  [[nodiscard]] bool counts(unsigned i, const Stretch& s) const;
  [[nodiscard]] Stretch stretch(const Block& block, Cycle at, Cycle to);
  [[nodiscard]] Cycle horizon(const Stretch& s) const;
  void capture(const Block& block, const Stretch& s);
  Cycle advance(const Block& block, Stretch s);
  void wrapped(unsigned i, Cycle at);
  void note_probe(unsigned i, const ia64::EventScan& scan, bool counting);

  Behaviour behaviour_;
  std::span<const ia64::Event> events_;
  std::array<std::uint64_t, pmcs> pmc_{};
  std::array<ia64::Counter, counters> counter_{};
  std::array<std::uint64_t, breakpoints> ibr_{};
  std::array<std::uint64_t, breakpoints> dbr_{};
  std::uint64_t pmv_ = 0;
  Capturing capturing_;

  std::array<ia64::EventLine, counters> lines_{};
  std::array<ia64::Gate, counters> gates_{};
  ia64::Gate data_ear_gate_, fetch_ear_gate_, branch_ring_gate_;
  ia64::Tagger tagger_;

  Cycle freeze_at_ = activity::never;  ///< first cycle of the freeze that a wrap has caused
  bool pending_ = false;
  bool requested_ = false;  ///< pending_ was raised in the last stretch
  bool seen_ = false;       ///< a cycle has been consumed: mode_ is its mode
  ia64::Mode mode_;
  Captures captures_;
  std::array<CounterProbe, counters> probes_{};
};

}  // namespace pmusim::pmu::itanium2
