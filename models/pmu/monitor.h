// What every PMU model is: one copyable value that consumes activity, with registers on a bus. It knows
// neither SystemC nor the program; pmu_module.h puts it on wires.
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

/// Who makes a register access: the privilege that the access rules look at.
struct Accessor {
  unsigned cpl = 0;                    ///< 0 most privileged .. 3; PowerPC: 0 supervisor, 3 problem state
  bool counter_reads_allowed = false;  ///< x86 CR4.PCE
};

/// What a register is for: control selects and enables, counter counts, status tells, data holds what was sampled.
enum class RegisterKind : std::uint8_t { control, counter, status, data };

/// What is known of a register.
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

/// What an access gave.
struct AccessResult {
  Fault fault = Fault::none;  ///< none: the access was made
  std::uint64_t value = 0;    ///< of a read without fault
};

/// How far a monitor came in a block and why it stopped there.
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

/// What a waveform shows of one counter in the last cycle consumed.
struct CounterProbe {
  std::uint32_t occurrences = 0;  ///< n: what the selected event line carried
  bool condition = false;         ///< after threshold, invert and gates
  bool edge_flop = false;         ///< the condition in the cycle before
  std::uint64_t value = 0;        ///< of the register
};

/// What a PMU shows beside counters, registers and pins: that it is frozen, that hardware has written a register.
struct Indicator {
  std::string_view name;  ///< frozen, overflow, SIA_written
  unsigned width = 1;     ///< bits
};

/// After which cycles the processor takes an interrupt that is enabled.
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
  /// An access between two cycles, after the last cycle consumed: what it writes holds from the next on. A
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
  /// What it looks at until software writes its registers, whatever it does to them itself.
  [[nodiscard]] virtual activity::Subscription subscription() const { return activity::Subscription::everything(); }
  /// An instruction that reads a register sees the increments of its own cycle.
  [[nodiscard]] virtual bool reads_own_cycle() const { return false; }
  /// The interrupt was accepted by the processor between two cycles.
  virtual void interrupt_taken() = 0;
  /// Whose registers these are, on a core with several hardware threads: its program's accesses alone reach them.
  [[nodiscard]] virtual std::optional<unsigned> thread() const { return std::nullopt; }
  /// A request was signalled and not yet taken.
  [[nodiscard]] virtual bool interrupt_pending() const = 0;
  /// The conditions outside the PMU under which a pending interrupt is taken: in State terms, looked up by
  /// the interrupt port. Returns true when an interrupt may be taken after cycle `at`.
  [[nodiscard]] virtual bool interrupt_enabled(const Block& block, Cycle at) const = 0;
  /// The cycles after which it may be taken at all.
  [[nodiscard]] virtual InterruptBoundary interrupt_boundary() const { return InterruptBoundary::retirement; }
  /// Least number of cycles between the request and the taking.
  [[nodiscard]] virtual Cycle interrupt_skid() const = 0;
  /// A number of cycles that certainly pass before the next interrupt request, if no register is written;
  /// 0 when nothing is certain. Used in perturbing mode.
  [[nodiscard]] virtual Cycle quiet_cycles() const = 0;

  /// Output pins that it drives.
  [[nodiscard]] virtual unsigned pin_count() const { return 0; }
  /// When on, consume() appends pin edges to the list that take_pin_edges() hands out, in order of time.
  virtual void record_pins(bool /*on*/) {}
  /// Edges since the last call, by time; see record_pins().
  [[nodiscard]] virtual std::vector<PinEdge> take_pin_edges() { return {}; }

  /// Counters; their indexes count from 0.
  [[nodiscard]] virtual unsigned counter_count() const = 0;
  /// For waveforms: the state of counter `i` in the last cycle consumed. Exact when one cycle was consumed.
  [[nodiscard]] virtual CounterProbe probe(unsigned i) const = 0;
  /// What indicator() tells, in this order.
  [[nodiscard]] virtual std::span<const Indicator> indicators() const { return {}; }
  /// For waveforms: the value of indicators()[i] in the last cycle consumed. Exact when one cycle was consumed.
  [[nodiscard]] virtual std::uint64_t indicator(std::size_t /*i*/) const { return 0; }
  /// Selected events that this model does not produce, as sentences; empty when all are modelled.
  [[nodiscard]] virtual std::vector<std::string> not_modelled() const { return {}; }

  /// Tells the probe of every cycle consumed from now on; null ends it. What is told adds up to the counters, and
  /// telling changes nothing. The probe must outlive the monitor.
  void watch(Probe* probe) { watcher_.set(probe); }

 protected:
  /// Null: there is no watcher.
  [[nodiscard]] Probe* watcher() const { return watcher_.get(); }
  /// A counter has got a value other than by counting.
  void tell_written(unsigned counter, std::uint64_t value) const {
    if (watcher() != nullptr) watcher()->written(counter, value);
  }

 private:
  Watcher watcher_;
};

/// Looks a register up by its manual name, ignoring case. Empty when there is none.
[[nodiscard]] std::optional<RegisterInfo> find_register(const Monitor& monitor, std::string_view name);

}  // namespace pmusim::pmu
