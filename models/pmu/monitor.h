// The interface of every PMU model: a copyable value that consumes activity and has registers on a bus. It does not
// depend on SystemC or on the program; pmu_module.h connects it to wires.
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

/// Identifies a register.
struct RegisterId {
  Space space;           ///< register space
  std::uint32_t number;  ///< number in the space
  friend bool operator==(const RegisterId&, const RegisterId&) = default;
  /// The register's bus address.
  [[nodiscard]] std::uint64_t address() const { return (static_cast<std::uint64_t>(space) << 32) | number; }
  /// The inverse of address(). The space is not checked.
  [[nodiscard]] static RegisterId from_address(std::uint64_t address) {
    return {static_cast<Space>(address >> 32), static_cast<std::uint32_t>(address)};
  }
};

/// The originator of a register access, with the privileges that the access rules check.
struct Accessor {
  unsigned cpl = 0;                    ///< 0 most privileged .. 3; PowerPC: 0 supervisor, 3 problem state
  bool counter_reads_allowed = false;  ///< x86 CR4.PCE
};

/// The purpose of a register: control selects and enables events, counter counts, status reports, data holds samples.
enum class RegisterKind : std::uint8_t { control, counter, status, data };

/// Properties of a register.
struct RegisterInfo {
  RegisterId id;          ///< space and number
  std::string_view name;  ///< the manual's name: PerfEvtSel0, MMCR0
  unsigned width;         ///< bits
  RegisterKind kind;      ///< purpose
  bool writable;          ///< the most privileged level can write it
};

/// The exception that an access takes instead of completing. Names are the architecture's.
enum class Fault : std::uint8_t { none, general_protection, privileged_instruction, illegal_instruction };
/// The enumerator's name.
[[nodiscard]] std::string_view name_of(Fault fault);

/// The result of an access.
struct AccessResult {
  Fault fault = Fault::none;  ///< none: the access was made
  std::uint64_t value = 0;    ///< the value read, if there was no fault
};

/// The cycle that a monitor reached in a block, and the reason why it stopped.
struct Consumed {
  Cycle reached = 0;               ///< first cycle not yet consumed
  bool interrupt_request = false;  ///< the interrupt was requested in cycle reached - 1
};

/// An edge on an output pin: from cycle `at` on, pin `pin` has this level. It depends only on cycles before `at`, and
/// is reported at the latest when cycle `at` - 1 has been consumed.
struct PinEdge {
  Cycle at;      ///< first cycle with the new level
  unsigned pin;  ///< number of the pin, from 0 on
  bool level;    ///< true: high
  friend bool operator==(const PinEdge&, const PinEdge&) = default;
};

/// The state of one counter in the last cycle consumed, for a waveform.
struct CounterProbe {
  std::uint32_t occurrences = 0;  ///< n: number of occurrences on the selected event line
  bool condition = false;         ///< result after threshold, invert and gates
  bool edge_flop = false;         ///< the condition in the previous cycle
  std::uint64_t value = 0;        ///< value of the counter's register
};

/// A value for waveforms besides counters, registers and pins: the PMU is frozen, hardware has written a register.
struct Indicator {
  std::string_view name;  ///< such as frozen, overflow, SIA_written
  unsigned width = 1;     ///< in bits
};

/// The cycles after which the processor can take an enabled interrupt.
enum class InterruptBoundary : std::uint8_t {
  retirement,  ///< an instruction retired, or the core clock was stopped
  idle,        ///< ... or one without work has left in program order (kill_in_order), or the idle thread runs
  issue        ///< every cycle, before the oldest instruction that has not issued: no instruction stalls after issue
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

  /// All registers on the bus. The list lives as long as the monitor.
  [[nodiscard]] virtual std::span<const RegisterInfo> registers() const = 0;
  /// Reads a register between two cycles, after the last cycle consumed. A read has no side effects.
  virtual AccessResult read(RegisterId id, const Accessor& who) = 0;
  /// Writes a register between two cycles, after the last cycle consumed. The value takes effect in the next cycle.
  virtual AccessResult write(RegisterId id, std::uint64_t value, const Accessor& who) = 0;
  /// Performs a write by an instruction that completes in cycle `at`, the next cycle to consume: consumes the cycle and
  /// makes the write at its end by the model's same-cycle rule. An access with a fault changes no register, but the
  /// cycle is consumed nevertheless.
  virtual Consumed consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                      const Accessor& who, AccessResult& result) = 0;

  /// Consumes the cycles [from, to) of the block, or fewer: stops after the cycle in which the interrupt
  /// line is requested. `from` is the first cycle not consumed before.
  virtual Consumed consume(const Block& block, Cycle from, Cycle to) = 0;
  /// The signals, records and states that the monitor reads. Valid until software writes its registers; register
  /// updates by the monitor itself do not change it.
  [[nodiscard]] virtual activity::Subscription subscription() const { return activity::Subscription::everything(); }
  /// True if an instruction that reads a register sees the increments of its own cycle.
  [[nodiscard]] virtual bool reads_own_cycle() const { return false; }
  /// The interrupt was accepted by the processor between two cycles.
  virtual void interrupt_taken() = 0;
  /// The hardware thread of these registers, on a core with several threads. Only its program can access them.
  [[nodiscard]] virtual std::optional<unsigned> thread() const { return std::nullopt; }
  /// True if an interrupt was requested and has not been taken.
  [[nodiscard]] virtual bool interrupt_pending() const = 0;
  /// True if a pending interrupt may be taken after cycle `at`. Depends only on the block's states; called by the
  /// interrupt port.
  [[nodiscard]] virtual bool interrupt_enabled(const Block& block, Cycle at) const = 0;
  /// The cycles after which an interrupt can be taken.
  [[nodiscard]] virtual InterruptBoundary interrupt_boundary() const { return InterruptBoundary::retirement; }
  /// Smallest number of cycles from the request until the interrupt is taken.
  [[nodiscard]] virtual Cycle interrupt_skid() const = 0;
  /// A lower bound of the number of cycles before the next interrupt request, if no register is written; 0 if no bound
  /// is known. Used in perturbing mode.
  [[nodiscard]] virtual Cycle quiet_cycles() const = 0;

  /// Number of output pins.
  [[nodiscard]] virtual unsigned pin_count() const { return 0; }
  /// Switches the recording of pin edges on or off. While it is on, consume() records them for take_pin_edges().
  virtual void record_pins(bool /*on*/) {}
  /// The edges recorded since the last call, in order of time. See record_pins().
  [[nodiscard]] virtual std::vector<PinEdge> take_pin_edges() { return {}; }

  /// Number of counters; their indexes begin at 0.
  [[nodiscard]] virtual unsigned counter_count() const = 0;
  /// For waveforms: the state of counter `i` in the last cycle consumed. Exact when one cycle was consumed.
  [[nodiscard]] virtual CounterProbe probe(unsigned i) const = 0;
  /// Names of the values of indicator(), in order.
  [[nodiscard]] virtual std::span<const Indicator> indicators() const { return {}; }
  /// For waveforms: the value of indicators()[i] in the last cycle consumed. Exact when one cycle was consumed.
  [[nodiscard]] virtual std::uint64_t indicator(std::size_t /*i*/) const { return 0; }
  /// The selected events that are not modelled, as sentences. Empty if all are modelled.
  [[nodiscard]] virtual std::vector<std::string> not_modelled() const { return {}; }

  /// Reports every cycle consumed from now on to the probe; null ends the reports. The reported amounts add up to the
  /// counts. Reporting does not change the state. The probe must outlive the monitor.
  void watch(Probe* probe) { watcher_.set(probe); }

 protected:
  /// The observer, or null.
  [[nodiscard]] Probe* watcher() const { return watcher_.get(); }
  /// Reports to the observer that a counter was set to a value other than by counting.
  void tell_written(unsigned counter, std::uint64_t value) const {
    if (watcher() != nullptr) watcher()->written(counter, value);
  }

 private:
  Watcher watcher_;
};

/// Finds a register by its manual name, ignoring case. Empty if there is none.
[[nodiscard]] std::optional<RegisterInfo> find_register(const Monitor& monitor, std::string_view name);

/// A monitor that can detect that its state recurs. If the activity is constant and the only events are its own
/// interrupts, all periods are the same.
class Recurring {
 public:
  virtual ~Recurring() = default;
  /// True if, under constant activity, the monitor passes through the same states again, given its state `earlier`,
  /// which is `period` cycles old. The values of grows() are not compared.
  [[nodiscard]] virtual bool recurs(const Monitor& earlier, Cycle period) const = 0;
  /// Values that grow by the same amount in each period and on which no other state depends.
  [[nodiscard]] virtual std::vector<std::uint64_t*> grows() = 0;
};

/// A counter without a register of its own, which firmware reads and writes on behalf of software: bits of a register,
/// or a divider that software cannot access.
struct FirmwareCounter {
  std::string_view name;      ///< CTR0, PCTR1
  unsigned number = 0;        ///< in the order of the manual, from 0
  std::string_view reg = {};  ///< register that contains it: PMCTR, PCTR_CTL; empty: not accessible
  unsigned shift = 0;         ///< its lowest bit in the register
  unsigned bits = 0;          ///< its width
  /// All bits of the counter, shifted down to bit 0.
  [[nodiscard]] constexpr std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};

}  // namespace pmusim::pmu
