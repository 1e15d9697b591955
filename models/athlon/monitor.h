// The four counters of the Athlon, the APIC entry through which they interrupt, and the PM pins. Page numbers refer to
// the AMD Athlon Processor x86 Code Optimization Guide, 22007 Rev. E; Behaviour has the choices that it leaves open.
//
// Steps of a core clock, for each counter: n from the multiplexer, comparison with the counter mask, gates (privilege,
// EN), edge detector, add. A stretch of clocks in which no gate changes is consumed run by run; it ends after the clock
// in which a counter with an enabled interrupt overflows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/athlon/behaviour.h"
#include "models/athlon/events.h"
#include "models/athlon/registers.h"
#include "models/pmu/clock_divider.h"
#include "models/pmu/monitor.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::athlon {

// The PM pins: pulses of one bus clock. 22007 Rev. E p. 163.

/// One pin. A trigger in bus clock B, with the pin negated in B, asserts it during B+1. A trigger while it is
/// asserted is lost, or with `extends` keeps it asserted for another bus clock.
class Pin {
 public:
  /// A trigger occurs in every core clock of [from, to).
  void trigger(Cycle from, Cycle to, const ClockDivider& bus, bool extends, unsigned number,
               std::vector<PinEdge>& edges) {
    const std::uint64_t last = bus.ticks(to - 1);
    for (std::uint64_t clock = bus.ticks(from); clock <= last; ++clock) {
      pass(clock, bus, extends, number, edges);
      triggered_ = true;
    }
  }
  /// Advances to bus clock `clock` and appends the edges up to then.
  void pass(std::uint64_t clock, const ClockDivider& bus, bool extends, unsigned number, std::vector<PinEdge>& edges) {
    while (clock_ < clock) {
      const bool next = triggered_ && (!asserted_ || extends);
      ++clock_;
      if (next != asserted_) edges.push_back({bus.first_cycle(clock_), number, next});
      asserted_ = next;
      triggered_ = false;
      if (!asserted_) clock_ = clock;
    }
  }

 private:
  std::uint64_t clock_ = 0;  ///< current bus clock
  bool triggered_ = false;   ///< a trigger occurred in it
  bool asserted_ = false;    ///< level in it
};

class AthlonMonitor final : public Monitor {
 public:
  /// `entries` must outlive the monitor and its copies.
  explicit AthlonMonitor(const models::Parameters& parameters, std::span<const EventRow> entries = multiplexer());

  [[nodiscard]] std::unique_ptr<Monitor> clone() const override { return std::make_unique<AthlonMonitor>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const AthlonMonitor&>(other); }
  void reset() override;

  [[nodiscard]] std::span<const RegisterInfo> registers() const override;
  AccessResult read(RegisterId id, const Accessor& who) override;
  AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) override;
  Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value, const Accessor& who,
                              AccessResult& result) override;

  Consumed consume(const Block& block, Cycle from, Cycle to) override;
  [[nodiscard]] activity::Subscription subscription() const override;
  [[nodiscard]] bool reads_own_cycle() const override { return behaviour_.reads_own_clock; }
  void interrupt_taken() override;
  [[nodiscard]] bool interrupt_pending() const override { return pending_; }
  [[nodiscard]] bool interrupt_enabled(const Block& block, Cycle at) const override;
  [[nodiscard]] Cycle interrupt_skid() const override { return behaviour_.skid; }
  [[nodiscard]] Cycle quiet_cycles() const override;

  [[nodiscard]] unsigned pin_count() const override { return counters; }
  void record_pins(bool on) override { recording_ = on; }
  [[nodiscard]] std::vector<PinEdge> take_pin_edges() override;

  [[nodiscard]] unsigned counter_count() const override { return counters; }
  [[nodiscard]] CounterProbe probe(unsigned i) const override { return probes_.at(i); }
  [[nodiscard]] std::span<const Indicator> indicators() const override;
  [[nodiscard]] std::uint64_t indicator(std::size_t /*i*/) const override { return overflows_; }

 private:
  AthlonMonitor(const Behaviour& behaviour, std::span<const EventRow> entries)
      : behaviour_(behaviour), entries_(entries) {}

  struct Counter {
    std::uint32_t select = 0;  ///< PerfEvtSel
    std::uint64_t value = 0;   ///< PerfCtr
    bool edge_flop = false;
    Selection selection;
    [[nodiscard]] bool has(std::uint32_t select_bit) const { return (select & select_bit) != 0; }
    [[nodiscard]] std::uint32_t counter_mask() const { return select >> select::counter_mask_shift; }
  };
  /// Clocks [begin, end) with the same gates.
  struct Stretch {
    Cycle begin;
    Cycle end;
    bool running;         ///< the core clock runs
    std::uint32_t level;  ///< as Behaviour::level_of()
  };
  /// A counter after a stretch.
  struct Count {
    std::uint64_t value;
    bool edge_flop;
    Cycle overflow = activity::never;  ///< first clock with a carry out of bit 47
    std::uint32_t n = 0;               ///< events in the last clock
    bool condition = false;            ///< result of the comparison in the last clock
  };
  struct Rule;

  [[nodiscard]] bool enabled(const Counter& c) const;
  [[nodiscard]] bool privileged(const Counter& c, const Stretch& s) const;
  [[nodiscard]] EventContext context_of(const Counter& c) const { return {c.selection, debug_, behaviour_, c.select}; }
  [[nodiscard]] Stretch stretch(const Block& block, Cycle at, Cycle to);
  [[nodiscard]] Count count(unsigned i, const Block& block, const Stretch& s) const;
  void trigger_pin(unsigned i, const Block& block, const Stretch& s);
  void tell(unsigned i, const Block& block, const Stretch& s) const;
  [[nodiscard]] static std::uint64_t sum_of(const Rule& r, const EventContext& context, const Block& block, Cycle from,
                                            Cycle to);
  [[nodiscard]] Rule rule(const Counter& c, const Stretch& s, bool held) const;
  Cycle advance(const Block& block, Stretch s);
  void settle_pins(Cycle end, std::size_t known_edges);

  [[nodiscard]] std::uint32_t delivery_mode() const { return lvt_ >> lvt::mode_shift & lvt::mode_mask; }
  [[nodiscard]] bool deliverable() const;
  void overflowed();

  [[nodiscard]] Fault access_fault(RegisterId id, std::uint64_t value, bool is_write, const Accessor& who) const;
  void write_select(unsigned i, std::uint32_t value);
  void write_lvt(std::uint32_t value);

  Behaviour behaviour_;
  std::span<const EventRow> entries_;
  std::array<Counter, counters> counters_{};
  std::uint64_t tsc_ = 0;
  DebugRegisters debug_;
  unsigned held_ = counters;  ///< the counter that is written in this clock; `counters`: none

  std::uint32_t lvt_ = lvt::masked;
  Cycle due_in_ = 0;  ///< clocks until an overflow becomes a request; 0: no overflow waits
  bool pending_ = false;
  bool requested_ = false;  ///< pending_ was raised in the last stretch

  bool recording_ = false;
  ClockDivider bus_{1, 1u << 16 | 1u};
  std::array<Pin, counters> pins_{};
  std::vector<PinEdge> edges_;

  std::array<CounterProbe, counters> probes_{};
  unsigned overflows_ = 0;  ///< bit i: a carry out of counter i in the last stretch
};

}  // namespace pmusim::pmu::athlon
