// The outside of every PMU on wires: register socket, interrupt line, pins, handler. How time passes inside
// is what pmu_module.h (blocks) and signal_module.h (clock by clock) add.
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

/// How a PMU is put on wires.
struct ModuleOptions {
  sc_core::sc_time clock_period{1, sc_core::SC_NS};  ///< of the core clock
  bool counter_reads_allowed = false;                ///< for accesses of the program itself (x86 CR4.PCE)
  Cycle first_cycle = 0;                             ///< with which the activity starts
};

/// Ports may stay unbound. Outputs change in the delta cycle after their time.
///
/// Who takes the interrupt? If `taken` is unbound, the model does, at the cycle at which the processor would, and
/// runs the handler. If `taken` is bound, the platform does: the line stays high until a rising edge of `taken`, or
/// until a register write or a reset withdraws the request, and no handler runs.
class PmuShell : public sc_core::sc_module {
 public:
  /// Runs between two cycles, at the time of the taking; may access registers, must not wait.
  using Handler = std::function<void(const EntryState&)>;
  /// Sees what became of each register access that the program itself makes.
  using AccessLog = std::function<void(const AccessReport&)>;

  tlm_utils::simple_target_socket<PmuShell> registers;  ///< see tlm_registers.h
  sc_core::sc_out<bool> interrupt;  ///< high from the request to the taking, for half a clock at least
  sc_core::sc_in<bool> taken;       ///< a rising edge: the platform's processor has accepted the interrupt
  sc_core::sc_in<bool> reset;       ///< hard reset, and again when it ends: nothing that was counted meanwhile is left
  sc_core::sc_vector<sc_core::sc_out<bool>> pins;  ///< output pins, Monitor::pin_count() of them

  /// What runs when the model takes the interrupt. To be set before the start, as what follows is.
  void on_interrupt(Handler handler) { handler_ = std::move(handler); }
  /// Gets a report of every access that the program makes itself. To be set before the start.
  void on_access(AccessLog log) { access_log_ = std::move(log); }
  /// Sees each pin edge in order, at its time, whether the pin is bound or not. To be set before the start.
  void on_pin_edge(std::function<void(const PinEdge&)> watcher) { pin_watcher_ = std::move(watcher); }
  /// Drives the pins even if nothing is bound to them, for a waveform. To be called before the start.
  void want_pins() { pins_wanted_ = true; }
  /// Adds interrupt and pins to a waveform.
  void trace(sc_core::sc_trace_file* file) const override;
  /// No interrupt is taken after an earlier cycle than this one; holds for blocks that come.
  void hold_until(Cycle cycle) { live_.hold_until(cycle); }
  /// The monitor as it stands after all cycles that are final.
  [[nodiscard]] const Monitor& monitor() const { return live_.monitor(); }
  /// The same with its interrupt port, and how far it is.
  [[nodiscard]] const Follower& follower() const { return live_; }
  /// Time at which a cycle begins, for cycles of the latest activity.
  [[nodiscard]] sc_core::sc_time time_of(Cycle cycle) const;

 protected:
  /// On wires, with the monitor as it is; its registers are reached by TLM from the start on.
  PmuShell(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor, const ModuleOptions& options);
  /// Makes final what lies before the present moment, so that a register access finds it so.
  virtual void settle() = 0;
  /// A register was written from outside, with everything before it final. Not called for writes that a
  /// handler makes.
  virtual void register_written() = 0;
  /// What live_ will be once all before the present moment is final, without making it so.
  [[nodiscard]] virtual Follower settled_copy() = 0;

  /// Binds what was left unbound.
  void before_end_of_elaboration() override;
  /// Sets the moment at which `cycle` begins to now.
  void anchor(Cycle cycle);
  /// First cycle boundary that is not before now: accesses within a cycle act at its end.
  [[nodiscard]] Cycle boundary_now() const;
  /// Shows the level of the line; takes the interrupt and runs its handler if the stop says so.
  void react(const Stop& stop, const Block& block);
  /// Tells the access log what the program did since the last call.
  void log_accesses();
  /// Somebody looks at the pins, or a pin is bound.
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
  sc_core::sc_time pulse_end_;  ///< until when the line is high in any case
  std::vector<PinEdge> due_;    ///< edges that the next delta cycle drives
  sc_core::sc_event line_event_{"line_event"};
  sc_core::sc_event pin_event_{"pin_event"};
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> unbound_;  ///< connected to ports that are not bound
};

}  // namespace pmusim::pmu
