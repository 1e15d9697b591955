// The 750GX performance monitor: counters, freeze rules, signalling and SIA. Section numbers refer to the User's Manual
// v1.2, chapter 11; Behaviour has the choices that it leaves open.
//
// Order within a cycle: time base, increments, conditions c1-c3, signal, then writes. A stretch of cycles in which no
// flag and no gate changes is consumed in one step; it ends after the cycle in which one changes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "models/activity/activity.h"
#include "models/pmu/clock_divider.h"
#include "models/pmu/monitor.h"
#include "models/pmu/multiplexer.h"
#include "models/ppc750gx/behaviour.h"
#include "models/ppc750gx/events.h"
#include "models/ppc750gx/registers.h"

namespace pmusim::pmu::ppc750gx {

// The 64-bit time base: one tick every four bus clocks (User's Manual p. 114), and the rising edges of the bit that
// MMCR0[RTCSELECT] selects. All values are computed from cycle numbers.

using activity::Cycle;

class TimeBase {
 public:
  void set_ratio(Cycle at, std::uint64_t ratio) { divider_.set_ratio(at, ratio); }
  /// Value in the last cycle passed, including writes after it.
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// A write between two cycles, after the last cycle passed. The tick in progress continues. A bit that is 0 in the
  /// last cycle and 1 in the next is an edge of the next.
  void write(std::uint64_t value) {
    offset_ += value - value_;
    value_ = value;
  }
  /// A reset between two cycles: as a write of 0, but no edge follows.
  void clear() {
    write(0);
    seen_ = 0;
  }
  /// Number of cycles in [from, to) in which bit `bit` rises; `from` is the first cycle not passed.
  [[nodiscard]] std::uint64_t edges(Cycle from, Cycle to, unsigned bit) const {
    return from >= to ? 0 : (rises_at_once(from, bit) ? 1 : 0) + rises(at(from), at(to - 1), bit);
  }
  /// Cycle of the k-th of these edges (k from 1), activity::never if it is not before `to`.
  [[nodiscard]] Cycle edge(std::uint64_t k, Cycle from, Cycle to, unsigned bit) const {
    if (k > edges(from, to, bit)) return activity::never;
    if (rises_at_once(from, bit) && --k == 0) return from;
    const std::uint64_t half = std::uint64_t{1} << bit;
    const std::uint64_t first = at(from);
    const std::uint64_t to_first_rise = 2 * half - ((first + half) & (2 * half - 1));
    return divider_.first_cycle(divider_.ticks(from) + to_first_rise + (k - 1) * 2 * half);
  }
  /// Ticks from the last cycle passed to the next edge of the bit, at least 1.
  [[nodiscard]] std::uint64_t ticks_to_edge(unsigned bit) const {
    const std::uint64_t half = std::uint64_t{1} << bit;
    return 2 * half - ((value_ + half) & (2 * half - 1));
  }
  /// True if a write has set the bit and the next cycle detects the edge.
  [[nodiscard]] bool edge_waits(unsigned bit) const { return ((~seen_ & value_) >> bit & 1) != 0; }
  /// Advances to cycle `to`: all cycles before it have passed.
  void pass(Cycle to) { value_ = seen_ = at(to - 1); }

 private:
  [[nodiscard]] std::uint64_t at(Cycle cycle) const { return divider_.ticks(cycle) + offset_; }
  [[nodiscard]] bool rises_at_once(Cycle from, unsigned bit) const { return ((~seen_ & at(from)) >> bit & 1) != 0; }
  [[nodiscard]] static std::uint64_t rises(std::uint64_t before, std::uint64_t after, unsigned bit) {
    const std::uint64_t half = std::uint64_t{1} << bit;
    const std::uint64_t phase = (before + half) & (2 * half - 1);
    return (phase + (after - before)) >> (bit + 1);
  }

  /// Four bus clocks per tick; 4:1 is the default ratio of core clock to bus clock.
  ClockDivider divider_{4, 4u << 16 | 1u};
  std::uint64_t offset_ = 0;  ///< value minus the divider's ticks
  std::uint64_t value_ = 0;
  std::uint64_t seen_ = 0;  ///< value in the edge detector's last sample
};

class Ppc750gxMonitor final : public Monitor {
 public:
  /// `entries` must outlive the monitor and its copies.
  explicit Ppc750gxMonitor(const models::Parameters& parameters, std::span<const EventRow> entries = multiplexer());

  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<Ppc750gxMonitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const Ppc750gxMonitor&>(other); }
  void reset() override;

  [[nodiscard]] std::span<const RegisterInfo> registers() const override;
  AccessResult read(RegisterId id, const Accessor& who) override;
  AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) override;
  Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value, const Accessor& who,
                              AccessResult& result) override;

  Consumed consume(const Block& block, Cycle from, Cycle to) override;
  [[nodiscard]] activity::Subscription subscription() const override;
  [[nodiscard]] bool reads_own_cycle() const override { return behaviour_.reads_own_cycle; }
  void interrupt_taken() override;
  [[nodiscard]] bool interrupt_pending() const override { return pending_; }
  [[nodiscard]] bool interrupt_enabled(const Block& block, Cycle at) const override;
  [[nodiscard]] Cycle interrupt_skid() const override { return 0; }
  [[nodiscard]] Cycle quiet_cycles() const override;

  [[nodiscard]] unsigned counter_count() const override { return counters; }
  [[nodiscard]] CounterProbe probe(unsigned i) const override { return probes_.at(i); }
  [[nodiscard]] std::span<const Indicator> indicators() const override;
  [[nodiscard]] std::uint64_t indicator(std::size_t i) const override;

 private:
  Ppc750gxMonitor(const Behaviour& behaviour, std::span<const EventRow> entries)
      : behaviour_(behaviour), entries_(entries) {}

  /// Cycles [begin, end) with the same gates.
  struct Stretch {
    Cycle begin;
    Cycle end;
    bool running;  ///< the core clock runs
    bool level;    ///< DU and DP enable counting at the privilege level
    bool mark;     ///< DMS and DMR enable counting for the process
    bool run;      ///< the count-enable rule of section 11.3
  };
  struct Selected {
    Selection selection;
    bool time_base = false;
    MsrToggle toggle = {};
  };
  /// The effect of a stretch on a counter: the amount added, and the cycle in which bit 0 changes.
  struct Scan {
    std::uint64_t added = 0;
    Cycle flip = activity::never;
  };

  // registers (access.cpp)
  [[nodiscard]] Fault access_fault(RegisterId id, bool is_write, const Accessor& who) const;
  [[nodiscard]] std::uint32_t value_of(std::uint32_t supervisor_spr) const;
  void set_value(std::uint32_t supervisor_spr, std::uint32_t value);
  void select();

  // counting
  [[nodiscard]] bool has(std::uint32_t mmcr0_bit) const { return (mmcr0_ & mmcr0_bit) != 0; }
  [[nodiscard]] static bool negative(std::uint32_t counter) { return (counter & counter_negative) != 0; }
  [[nodiscard]] EventContext context(unsigned i) const;
  [[nodiscard]] unsigned time_base_bit() const;
  [[nodiscard]] bool trigger_level() const;
  [[nodiscard]] bool stops_others() const;
  [[nodiscard]] bool can_signal(const Stretch& s) const;
  [[nodiscard]] bool overflow_condition() const;
  [[nodiscard]] Stretch stretch(const Block& block, Cycle at, Cycle to);
  [[nodiscard]] Scan scan(unsigned i, const Block& block, Cycle from, Cycle to, bool watch) const;
  [[nodiscard]] bool toggles(const MsrToggle& toggle, std::uint64_t msr) const;
  Cycle advance(const Block& block, Stretch s);
  void tell(unsigned i, const Block& block, const Stretch& s, bool enabled, bool kept) const;
  void note_probes(const Block& block, const Stretch& s, const std::array<bool, counters>& enabled,
                   const std::array<Scan, counters>& scans);

  // signalling
  void signal(const Block& block, Cycle at, bool pmc1_overflows);
  [[nodiscard]] std::optional<std::uint32_t> sampled_load(const Block& block, Cycle at, bool pmc1_overflows) const;
  [[nodiscard]] std::optional<std::uint32_t> completed(const Block& block, Cycle at) const;

  Behaviour behaviour_;
  std::span<const EventRow> entries_;
  std::uint32_t mmcr0_ = 0;
  std::uint32_t mmcr1_ = 0;
  std::array<std::uint32_t, counters> pmc_{};
  std::uint32_t sia_ = 0;
  std::uint32_t iabr_ = 0;
  TimeBase time_base_;
  std::array<Selected, counters> selected_;
  std::optional<std::uint64_t> last_msr_;  ///< MSR in the last cycle consumed

  bool stopped_ = false;   ///< DISCOUNT has stopped counting
  bool released_ = false;  ///< a signal has released PMCTRIGGER
  bool pending_ = false;
  bool requested_ = false;    ///< pending_ was raised in the last stretch
  unsigned held_ = counters;  ///< the counter that is written in this cycle; `counters`: none

  // pmu.sia_cycle=taking
  std::optional<std::uint32_t> last_completed_;  ///< SIA's candidate in the last cycle
  std::optional<std::uint32_t> sampled_load_;    ///< address of the load whose threshold event caused the signal

  std::array<CounterProbe, counters> probes_{};
  bool frozen_ = false;       ///< counting was frozen in the last stretch, by the rule of section 11.3
  bool sia_written_ = false;  ///< SIA was written in the last cycle
  bool sia_taken_ = false;    ///< SIA was written between the last cycle and the next
};

}  // namespace pmusim::pmu::ppc750gx
