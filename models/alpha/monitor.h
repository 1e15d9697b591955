// The common part of all Alpha monitors: counters gated by states, carries that latch requests, and an interrupt that
// is taken outside PALcode below IPL 6.
//
// Order within a cycle: gates according to the states of the cycle, increments, requests, then writes. A stretch of
// cycles in which no gate changes and no new request is signalled is consumed in one step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "models/alpha/behaviour.h"
#include "models/alpha/counter.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::alpha {

class AlphaMonitor : public Monitor, public Recurring {
 public:
  static constexpr unsigned most_counters = 3;
  /// Interrupt priority level of the operating system at which counters interrupt.
  static constexpr std::uint64_t interrupt_level = 6;

  AccessResult read(RegisterId id, const Accessor& who) final;
  AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) final;
  Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value, const Accessor& who,
                              AccessResult& result) final;
  Consumed consume(const Block& block, Cycle from, Cycle to) final;
  /// PALcode's part of taking an interrupt: it acknowledges one request, that of the counter with the highest number.
  /// The others are signalled again.
  void interrupt_taken() final;
  [[nodiscard]] bool interrupt_pending() const final { return signalled_; }
  [[nodiscard]] bool interrupt_enabled(const Block& block, Cycle at) const final;
  /// The pipelines of the 21064 and 21164 take the interrupt at the head of issue, that of the 21264 at retirement.
  [[nodiscard]] InterruptBoundary interrupt_boundary() const final {
    const bool in_order = behaviour_.chip != Chip::ev6 && behaviour_.chip != Chip::ev67;
    return in_order ? InterruptBoundary::issue : InterruptBoundary::idle;
  }
  [[nodiscard]] Cycle interrupt_skid() const final { return behaviour_.skid; }
  [[nodiscard]] Cycle quiet_cycles() const final;
  [[nodiscard]] activity::Subscription subscription() const override;
  [[nodiscard]] unsigned counter_count() const final { return count_; }
  [[nodiscard]] CounterProbe probe(unsigned i) const final { return probes_.at(i); }
  [[nodiscard]] std::span<const Indicator> indicators() const override;
  [[nodiscard]] std::uint64_t indicator(std::size_t i) const override;
  [[nodiscard]] bool recurs(const Monitor& earlier, Cycle period) const final;
  [[nodiscard]] std::vector<std::uint64_t*> grows() final;
  [[nodiscard]] const Counter& counter(unsigned i) const { return counters_.at(i); }

  [[nodiscard]] std::optional<unsigned> interrupted_counter() const { return reported_; }
  [[nodiscard]] Chip chip() const { return behaviour_.chip; }

 protected:
  AlphaMonitor(const Behaviour& behaviour, unsigned counters) : behaviour_(behaviour), count_(counters) {}
  AlphaMonitor(const AlphaMonitor&) = default;
  AlphaMonitor& operator=(const AlphaMonitor&) = default;

  /// Cycles [begin, end) with the same gates.
  struct Stretch {
    Cycle begin;
    Cycle end;
    unsigned counting;                 ///< bit i: counter i counts
    bool running;                      ///< the core clock runs
    unsigned on = 7;                   ///< bit i: counter i is enabled
    std::optional<bool> mode = {};     ///< the mode is counted; empty: the chip has no mode filter
    std::optional<bool> process = {};  ///< the process is counted; empty: no process filter
  };

  // Chip-specific: registers, gates, requests.
  [[nodiscard]] virtual std::uint64_t value_of(std::uint32_t ipr) const = 0;
  virtual void set_value(std::uint32_t ipr, std::uint64_t value) = 0;
  /// The longest stretch from `at` on with constant gates; the clock runs in it.
  [[nodiscard]] virtual Stretch gates(const Block& block, Cycle at, Cycle to) const = 0;
  /// Counters whose carry latches a request.
  [[nodiscard]] virtual unsigned requesting() const = 0;
  /// Counters whose requests reach the processor.
  [[nodiscard]] virtual unsigned enabled() const = 0;
  /// True if the monitor tracks a single instruction; no register shows that state.
  [[nodiscard]] virtual bool follows_instructions() const { return false; }
  /// Counts a stretch, which is shortened to end after the first cycle that signals a request.
  virtual void count(const Block& block, Stretch& stretch);
  /// The clock was stopped for these cycles.
  virtual void stand_still(Cycle /*cycles*/) {}
  [[nodiscard]] virtual Cycle quiet() const;

  void request(unsigned counter) { requests_ |= 1u << counter; }
  void withdraw(unsigned counters) { requests_ &= ~counters; }
  [[nodiscard]] unsigned requests() const { return requests_; }
  /// True if a request of one of these counters would be signalled.
  [[nodiscard]] bool would_signal(unsigned counters) const { return !signalled_ && (counters & enabled()) != 0; }
  /// True if the process was marked in the last cycle consumed.
  [[nodiscard]] bool marked() const { return marked_; }
  /// Scans the stretch for counter `i` and reports each step to the watcher; the counter does not change.
  [[nodiscard]] Scan told_scan(unsigned i, const Block& block, const Stretch& stretch) const;
  void note_probe(unsigned i, std::uint32_t n, bool counted) { probes_[i] = {n, counted, false, counters_[i].value}; }

  Behaviour behaviour_;
  std::array<Counter, most_counters> counters_{};

 private:
  [[nodiscard]] const RegisterInfo* find(RegisterId id) const;
  [[nodiscard]] Stretch stretch(const Block& block, Cycle at, Cycle to) const;

  unsigned count_;
  unsigned carries_ = 0;    ///< bit i: counter i carried in the last stretch
  unsigned requests_ = 0;   ///< bit i: counter i requests its interrupt
  bool signalled_ = false;  ///< the request was signalled and not yet taken
  bool marked_ = false;
  std::optional<unsigned> reported_;
  std::array<CounterProbe, most_counters> probes_{};
};

}  // namespace pmusim::pmu::alpha
