// The performance monitor of Itanium 2 and its successors: counters, event address registers, ring of branches, freeze
// and interrupt. Family defines the processor family, Behaviour the behaviours that the documents do not specify. On a
// core with two hardware threads, a monitor has the registers of one thread.
//
// A stretch of cycles in which neither a thread's mode nor the freeze bit changes is consumed at once. It ends after
// the cycle in which a counter with oi = 1 wraps. The capture registers are advanced over a stretch before the
// counters, because counters count the captures.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/activity/ia64.h"
#include "models/ia64/behaviour.h"
#include "models/ia64/branch_ring.h"
#include "models/ia64/ears.h"
#include "models/ia64/events.h"
#include "models/ia64/family.h"
#include "models/ia64/ip_ear.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::ia64 {

// The conditions under which a monitor of an IA-64 PMU runs. Sources: SDM volume 2, 7.2.1; instruction set mask:
// VTune's event dialog.

/// The fields of a configuration register that select the processor states in which its monitor runs.
struct Gate {
  unsigned levels = 0;      ///< plm: bit n: the monitor runs at privilege level n
  bool privileged = false;  ///< pm: the monitor runs while PSR.pp is 1; else while PSR.up is 1
  unsigned isa = 0;         ///< ism: 0 both instruction sets, 1 IA-32 only, 2 IA-64 only, 3 neither

  [[nodiscard]] constexpr bool at_level(unsigned cpl) const { return (levels >> cpl & 1) != 0; }
  [[nodiscard]] constexpr bool run_by(std::uint64_t psr) const {
    return (psr & (privileged ? activity::ia64::psr::pp : activity::ia64::psr::up)) != 0;
  }
  [[nodiscard]] constexpr bool in_instruction_set(std::uint64_t psr) const {
    const bool ia32 = (psr & activity::ia64::psr::is) != 0;
    return isa == 0 || (isa == 1 && ia32) || (isa == 2 && !ia32);
  }
  [[nodiscard]] constexpr bool runs(std::uint64_t psr, unsigned cpl) const {
    return at_level(cpl) && run_by(psr) && in_instruction_set(psr);
  }
};

/// The registers of a family, in the order of their spaces and numbers. The list has static storage duration.
[[nodiscard]] std::span<const RegisterInfo> register_infos(const Family& family);

class Ia64Monitor final : public Monitor {
 public:
  /// `family` must outlive the monitor and its copies.
  Ia64Monitor(const Family& family, const models::Parameters& parameters);

  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<Ia64Monitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const Ia64Monitor&>(other); }
  void reset() override;

  [[nodiscard]] std::span<const RegisterInfo> registers() const override;
  AccessResult read(RegisterId id, const Accessor& who) override;
  AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) override;
  Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value, const Accessor& who,
                              AccessResult& result) override;

  Consumed consume(const Block& block, Cycle from, Cycle to) override;
  [[nodiscard]] activity::Subscription subscription() const override;
  void interrupt_taken() override;
  [[nodiscard]] std::optional<unsigned> thread() const override {
    return family_->threads == 1 ? std::nullopt : std::optional{behaviour_.thread};
  }
  [[nodiscard]] bool interrupt_pending() const override { return pending_; }
  [[nodiscard]] bool interrupt_enabled(const Block& block, Cycle at) const override;
  [[nodiscard]] Cycle interrupt_skid() const override { return behaviour_.interrupt_latency; }
  [[nodiscard]] Cycle quiet_cycles() const override;

  [[nodiscard]] unsigned counter_count() const override { return family_->counters; }
  [[nodiscard]] CounterProbe probe(unsigned i) const override { return probes_.at(i); }
  [[nodiscard]] std::span<const Indicator> indicators() const override;
  [[nodiscard]] std::uint64_t indicator(std::size_t i) const override;
  [[nodiscard]] std::vector<std::string> not_modelled() const override;
  /// Counters whose events violate a rule of counters and sets, as sentences. They count nevertheless, unless the
  /// parameter pmu.event_sets is `enforced`.
  [[nodiscard]] std::vector<std::string> broken_rules() const;

 private:
  /// The registers that hardware fills, with the accesses and entries that are in flight.
  struct Capturing {
    DataEar data_ear;
    FetchEar fetch_ear;
    BranchRing branch_ring;
    IpEar ip_ear;
  };
  /// Captures in the current stretch.
  struct Captures {
    std::vector<Capture> data_ear, fetch_ear, branch_ring;
    void clear() {
      data_ear.clear();
      fetch_ear.clear();
      branch_ring.clear();
    }
  };
  /// Cycles [begin, end) in which modes, active thread, clocks and freeze bit do not change.
  struct Stretch {
    Cycle begin;
    Cycle end;
    std::array<Mode, most_threads> modes;  ///< by thread
    unsigned active;                       ///< active thread
    bool running;                          ///< the core clock runs
    unsigned levels_changed;  ///< bits of the old and the new privilege level of the active thread; 0: no change
    bool isa_changed;
  };

  // registers (access.cpp)
  [[nodiscard]] Fault access_fault(RegisterId id, bool is_write, const Accessor& who) const;
  [[nodiscard]] bool hidden(std::uint32_t pmd, const Accessor& who) const;
  [[nodiscard]] std::uint64_t pmc(std::uint32_t number) const;
  [[nodiscard]] std::uint64_t pmd(std::uint32_t number) const;
  void set_pmc(std::uint32_t number, std::uint64_t value);
  void set_pmd(std::uint32_t number, std::uint64_t value);

  // decoding of the configuration registers (configuration.cpp)
  void configure(std::uint32_t pmc_number);
  void configure_all();
  void select();
  void set_tags();
  void set_data_ear();
  void set_fetch_ear();
  void set_ring();
  [[nodiscard]] Gate gate(std::uint64_t pmc, bool has_isa) const;
  [[nodiscard]] bool is_counter(std::uint32_t number) const {
    return number >= first_counter && number < first_counter + family_->counters;
  }

  // counting
  [[nodiscard]] bool frozen() const { return (pmc_[0] & pmc0::fr) != 0; }
  [[nodiscard]] bool enabled() const { return !family_->has_enable || (pmc_[first_counter] & config::enable) != 0; }
  [[nodiscard]] bool interrupts(unsigned i) const { return (pmc_[first_counter + i] & config::oi) != 0; }
  [[nodiscard]] Owners owners(unsigned i, const Stretch& s) const;
  /// The gates of owners() for the observer, one by one.
  [[nodiscard]] std::array<Funnel, 3> funnels(unsigned i, const Stretch& s, const Owners& owners, bool is_frozen) const;
  void freeze(Cycle from);
  [[nodiscard]] Stretch stretch(const Block& block, Cycle at, Cycle to);
  [[nodiscard]] Cycle horizon(const Stretch& s, const std::array<Owners, most_counters>& owners) const;
  void capture(const Block& block, const Stretch& s);
  Cycle advance(const Block& block, Stretch s);
  void note_retirement(const Block& block, const Stretch& s);
  void wrapped(unsigned i, Cycle at);
  void request();
  void note_probe(unsigned i, const EventScan& scan, bool counting);

  const Family* family_;
  std::span<const RegisterInfo> infos_;
  Behaviour behaviour_;
  PmcFile pmc_{};
  std::array<Counter, most_counters> counter_{};
  std::array<std::uint64_t, breakpoints> ibr_{};
  std::array<std::uint64_t, breakpoints> dbr_{};
  std::uint64_t pmv_ = 0;
  Capturing capturing_;

  std::array<EventLine, most_counters> lines_{};
  std::array<Gate, most_counters> gates_{};
  std::array<bool, most_counters> both_threads_{};   ///< the `all` bit of each counter
  std::array<bool, most_counters> broken_{};         ///< the counter's event violates a rule of counters and sets
  Gate data_ear_gate_, fetch_ear_gate_, ring_gate_;  ///< ring_gate_: of the IP-EAR if that is on
  Tagger tagger_;

  Cycle freeze_at_ = activity::never;  ///< first cycle of the freeze that a wrap has caused
  bool pending_ = false;
  bool requested_ = false;  ///< pending_ was set in the last stretch
  unsigned still_ = 0;      ///< number of successive stretches that were cut short and counted nothing
  Cycle now_ = 0;           ///< first cycle not consumed
  bool seen_ = false;       ///< a cycle has been consumed: modes_ are its modes
  std::array<Mode, most_threads> modes_{};
  ClockDivider bus_clock_;
  std::uint64_t bus_ticks_ = 0;  ///< ticks of bus_clock_ before now_
  Cycle since_retirement_ = 0;   ///< running cycles since the last retirement; only with EventChoices::counts_awaited
  Captures captures_;
  std::array<CounterProbe, most_counters> probes_{};
  bool was_frozen_ = false;    ///< frozen in the last stretch
  bool ring_written_ = false;  ///< the ring was written in the last stretch
};

}  // namespace pmusim::pmu::ia64
