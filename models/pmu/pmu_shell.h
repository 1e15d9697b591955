// The outside of every PMU on wires: register socket, interrupt line, pins, handler. pmu_module.h (blocks) and
// signal_module.h (cycle by cycle) add how time passes.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/pmu/follower.h"
#include "models/pmu/pin_schedule.h"
#include "models/pmu/tlm_registers.h"

namespace pmusim::pmu {

/// How a PMU is connected to wires.
struct ModuleOptions {
  sc_core::sc_time clock_period{1, sc_core::SC_NS};  ///< of the core clock
  bool counter_reads_allowed = false;                ///< for accesses of the program itself (x86 CR4.PCE)
  Cycle first_cycle = 0;                             ///< with which the activity starts
};

/// Ports may stay unbound. Outputs change in the delta cycle after their time.
///
/// Two ways to take the interrupt: if `taken` is unbound, the model takes it at the cycle at which the processor would,
/// and runs the handler. If `taken` is bound, the platform takes it: the line stays high until a rising edge of
/// `taken`, or until a register write or a reset withdraws the request, and no handler runs.
class PmuShell : public sc_core::sc_module {
 public:
  /// Called between two cycles, when the interrupt is taken. It may access registers, but must not wait.
  using Handler = std::function<void(const EntryState&)>;
  /// Called with the result of each register access of the program itself.
  using AccessLog = std::function<void(const AccessReport&)>;

  tlm_utils::simple_target_socket<PmuShell> registers;  ///< see tlm_registers.h
  sc_core::sc_out<bool> interrupt;  ///< high from the request to the taking, for half a clock at least
  sc_core::sc_in<bool> taken;       ///< a rising edge: the platform's processor has accepted the interrupt
  sc_core::sc_in<bool>
      reset;  ///< hard reset, repeated when the signal ends, so that nothing counted in between remains
  sc_core::sc_vector<sc_core::sc_out<bool>> pins;  ///< output pins, Monitor::pin_count() of them

  /// The function that runs when the model takes the interrupt. Set it before the start, like all of the following.
  void on_interrupt(Handler handler) { handler_ = std::move(handler); }
  /// Called for every register access of the program itself. Set it before the start.
  void on_access(AccessLog log) { access_log_ = std::move(log); }
  /// Called for each pin edge in order, at its time, whether or not the pin is bound. Set it before the start.
  void on_pin_edge(std::function<void(const PinEdge&)> watcher) { pin_watcher_ = std::move(watcher); }
  /// Drives the pins even if nothing is bound to them, for a waveform. To be called before the start.
  void want_pins() { pins_wanted_ = true; }
  /// Adds interrupt and pins to a waveform.
  void trace(sc_core::sc_trace_file* file) const override;
  /// No interrupt is taken after a cycle before this one; applies to later blocks.
  void hold_until(Cycle cycle) { live_.hold_until(cycle); }
  /// The monitor after all final cycles.
  [[nodiscard]] const Monitor& monitor() const { return live_.monitor(); }
  /// The same with its interrupt port and its position.
  [[nodiscard]] const Follower& follower() const { return live_; }
  /// Time at which a cycle begins, for cycles of the latest activity.
  [[nodiscard]] sc_core::sc_time time_of(Cycle cycle) const;

 protected:
  /// On wires, with the monitor as it is; its registers are reached by TLM from the start on.
  PmuShell(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor, const ModuleOptions& options);
  /// Makes everything before the present moment final, as needed for a register access.
  virtual void settle() = 0;
  /// A register was written from outside, with everything before it final. Not called for writes that a
  /// handler makes.
  virtual void register_written() = 0;
  /// The state that live_ will have when everything before the present moment is final, without making it final.
  [[nodiscard]] virtual Follower settled_copy() = 0;

  /// Binds what was left unbound.
  void before_end_of_elaboration() override;
  /// Declares the present time to be the begin of `cycle`.
  void anchor(Cycle cycle);
  /// First cycle boundary that is not before now: accesses within a cycle act at its end.
  [[nodiscard]] Cycle boundary_now() const;
  /// Drives the level of the line; takes the interrupt and runs its handler if the stop requests it.
  void react(const Stop& stop, const Block& block);
  /// Reports the program's accesses since the last call to the access log.
  void log_accesses();
  /// Whether pins are observed or bound.
  [[nodiscard]] bool pins_wanted() const { return pins_wanted_; }
  /// Drives all scheduled edges up to and including cycle `now`.
  void drive_pins_until(Cycle now);

  Follower live_;          ///< all that is final
  ModuleOptions options_;  ///< as given
  PinSchedule schedule_;   ///< edges on their way to the pins

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, PrivilegeExtension* privilege);
  unsigned debug(tlm::tlm_generic_payload& payload);
  [[nodiscard]] tlm::tlm_response_status legal(const tlm::tlm_generic_payload& payload) const;
  void accept_interrupt();
  void reset_registers();
  void changed_from_outside();
  void drive_interrupt();
  void drive_pins();

  Handler handler_;
  AccessLog access_log_;
  std::function<void(const PinEdge&)> pin_watcher_;
  bool in_handler_ = false;
  bool pins_wanted_ = false;
  Cycle anchor_cycle_;
  sc_core::sc_time anchor_time_;
  sc_core::sc_time pulse_end_;  ///< earliest time at which the line may fall
  std::vector<PinEdge> due_;    ///< edges that the next delta cycle drives
  sc_core::sc_event line_event_{"line_event"};
  sc_core::sc_event pin_event_{"pin_event"};
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> unbound_;  ///< connected to ports that are not bound
};

}  // namespace pmusim::pmu
