// The interface of every PMU model: a copyable value that consumes activity and has registers on a bus. It is
// independent of SystemC and of the program; pmu_module.h connects it to wires.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity/subscription.h"
#include "models/common/parameters.h"
#include "models/pmu/probe.h"

namespace pmusim::pmu {

using activity::Block;
using activity::Cycle;

/// Register spaces. A register's bus address is (space << 32) | number.
enum class Space : std::uint32_t { msr = 1, spr, pmc, pmd, ibr, dbr, ipr, cr, psr, rdpmc, apic, dr };
/// The space's name in lower case, as in the encoder's register values.
[[nodiscard]] std::string_view name_of(Space space);

/// Which register.
struct RegisterId {
  Space space;           ///< in this space
  std::uint32_t number;  ///< number in it
  friend bool operator==(const RegisterId&, const RegisterId&) = default;
  /// Address on the bus.
  [[nodiscard]] std::uint64_t address() const { return (static_cast<std::uint64_t>(space) << 32) | number; }
  /// The inverse of address(); a space that there is not stays as it is.
  [[nodiscard]] static RegisterId from_address(std::uint64_t address) {
    return {static_cast<Space>(address >> 32), static_cast<std::uint32_t>(address)};
  }
};

/// The originator of a register access: the privilege that the access rules check.
struct Accessor {
  unsigned cpl = 0;                    ///< 0 most privileged .. 3; PowerPC: 0 supervisor, 3 problem state
  bool counter_reads_allowed = false;  ///< x86 CR4.PCE
};

/// What a register is for: control selects and enables, counter counts, status tells, data holds what was sampled.
enum class RegisterKind : std::uint8_t { control, counter, status, data };

/// Properties of a register.
struct RegisterInfo {
  RegisterId id;          ///< its address
  std::string_view name;  ///< the manual's name: PerfEvtSel0, MMCR0
  unsigned width;         ///< bits
  RegisterKind kind;      ///< what it is for
  bool writable;          ///< by the most privileged level
};

/// The exception that an access takes instead of completing. Names are the architecture's.
enum class Fault : std::uint8_t { none, general_protection, privileged_instruction, illegal_instruction };
/// The enumerator's name.
[[nodiscard]] std::string_view name_of(Fault fault);

/// The result of an access.
struct AccessResult {
  Fault fault = Fault::none;  ///< none: the access was made
  std::uint64_t value = 0;    ///< of a read without fault
};

/// How far a monitor advanced in a block, and why it stopped.
struct Consumed {
  Cycle reached = 0;               ///< first cycle not yet consumed
  bool interrupt_request = false;  ///< the interrupt was requested in cycle reached - 1
};

/// An edge on an output pin: from cycle `at` on, pin `pin` has this level. It follows from cycles before `at`
/// alone and is handed out by the time cycle `at` - 1 has been consumed, or earlier if it is certain by then.
struct PinEdge {
  Cycle at;      ///< first cycle with the new level
  unsigned pin;  ///< from 0 on
  bool level;    ///< high or low
  friend bool operator==(const PinEdge&, const PinEdge&) = default;
};

/// The state of one counter in the last cycle consumed, for a waveform.
struct CounterProbe {
  std::uint32_t occurrences = 0;  ///< n: what the selected event line carried
  bool condition = false;         ///< after threshold, invert and gates
  bool edge_flop = false;         ///< the condition in the cycle before
  std::uint64_t value = 0;        ///< of the register
};

/// State that a PMU shows besides counters, registers and pins: frozen, or a register written by hardware.
struct Indicator {
  std::string_view name;  ///< frozen, overflow, SIA_written
  unsigned width = 1;     ///< bits
};

/// The cycles after which the processor can take an enabled interrupt.
enum class InterruptBoundary : std::uint8_t {
  retirement,  ///< an instruction retired, or the core clock was stopped
  idle,        ///< ... or one without work has left in program order (kill_in_order), or the idle thread runs
  issue        ///< any, at the oldest instruction that has not issued: nothing stalls after issue
};

/// A PMU of one target.
class Monitor {
 public:
  virtual ~Monitor() = default;
  /// A copy of the whole state: registers, flops, pending requests.
  [[nodiscard]] virtual std::unique_ptr<Monitor> clone() const = 0;
  /// Becomes equal to `other`, which must be of the same model and parameters.
  virtual void assign(const Monitor& other) = 0;
  /// Hard reset.
  virtual void reset() = 0;

  /// All registers that the bus reaches. The list lives as long as the monitor.
  [[nodiscard]] virtual std::span<const RegisterInfo> registers() const = 0;
  /// An access between two cycles, after the last cycle consumed. A written value takes effect in the next cycle. A
  /// read changes nothing.
  virtual AccessResult read(RegisterId id, const Accessor& who) = 0;
  /// See read().
  virtual AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) = 0;
  /// A write made by an instruction that completes in cycle `at`, the next cycle to consume: consumes that
  /// cycle and makes the write at its end by the model's same-cycle rule. A fault changes nothing, but the
  /// cycle is consumed all the same.
  virtual Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                      const Accessor& who, AccessResult& result) = 0;

  /// Consumes the cycles [from, to) of the block, or fewer: stops after the cycle in which the interrupt
  /// line is requested. `from` is the first cycle not consumed before.
  virtual Consumed consume(const Block& block, Cycle from, Cycle to) = 0;
  /// Its inputs until software writes its registers, whatever it writes to them itself.
  [[nodiscard]] virtual activity::Subscription subscription() const { return activity::Subscription::everything(); }
  /// Whether an instruction that reads a register sees the increments of its own cycle.
  [[nodiscard]] virtual bool reads_own_cycle() const { return false; }
  /// The interrupt was accepted by the processor between two cycles.
  virtual void interrupt_taken() = 0;
  /// The hardware thread of these registers, on a core with several. Only accesses of its program reach them.
  [[nodiscard]] virtual std::optional<unsigned> thread() const { return std::nullopt; }
  /// Whether a request was signalled and not yet taken.
  [[nodiscard]] virtual bool interrupt_pending() const = 0;
  /// The conditions outside the PMU under which a pending interrupt is taken: in State terms, looked up by
  /// the interrupt port. Returns true when an interrupt may be taken after cycle `at`.
  [[nodiscard]] virtual bool interrupt_enabled(const Block& block, Cycle at) const = 0;
  /// The cycles after which it can be taken.
  [[nodiscard]] virtual InterruptBoundary interrupt_boundary() const { return InterruptBoundary::retirement; }
  /// Smallest number of cycles between the request and the taking.
  [[nodiscard]] virtual Cycle interrupt_skid() const = 0;
  /// A number of cycles that certainly pass before the next interrupt request, if no register is written;
  /// 0 when nothing is certain. Used in perturbing mode.
  [[nodiscard]] virtual Cycle quiet_cycles() const = 0;

  /// Number of output pins.
  [[nodiscard]] virtual unsigned pin_count() const { return 0; }
  /// When on, consume() appends pin edges to the list that take_pin_edges() hands out, in order of time.
  virtual void record_pins(bool /*on*/) {}
  /// Edges since the last call, by time; see record_pins().
  [[nodiscard]] virtual std::vector<PinEdge> take_pin_edges() { return {}; }

  /// Number of counters; their indexes begin at 0.
  [[nodiscard]] virtual unsigned counter_count() const = 0;
  /// For waveforms: the state of counter `i` in the last cycle consumed. Exact when one cycle was consumed.
  [[nodiscard]] virtual CounterProbe probe(unsigned i) const = 0;
  /// Names of the values of indicator(), in order.
  [[nodiscard]] virtual std::span<const Indicator> indicators() const { return {}; }
  /// For waveforms: the value of indicators()[i] in the last cycle consumed. Exact when one cycle was consumed.
  [[nodiscard]] virtual std::uint64_t indicator(std::size_t /*i*/) const { return 0; }
  /// Selected events that this model does not produce, as sentences; empty when all are modelled.
  [[nodiscard]] virtual std::vector<std::string> not_modelled() const { return {}; }

  /// Reports every cycle consumed from now on to the probe; null ends it. The reported amounts add up to the counts,
  /// and reporting changes no state. The probe must outlive the monitor.
  void watch(Probe* probe) { watcher_.set(probe); }

 protected:
  /// Null if nothing observes the monitor.
  [[nodiscard]] Probe* watcher() const { return watcher_.get(); }
  /// A counter got a value by something other than counting.
  void tell_written(unsigned counter, std::uint64_t value) const {
    if (watcher() != nullptr) watcher()->written(counter, value);
  }

 private:
  Watcher watcher_;
};

/// Finds a register by its manual name, ignoring case. Empty if there is none.
[[nodiscard]] std::optional<RegisterInfo> find_register(const Monitor& monitor, std::string_view name);

}  // namespace pmusim::pmu
