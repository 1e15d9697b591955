// The ports of every PMU on wires: register socket, interrupt line, pins, handler. pmu_module.h (by blocks) and
// signal_module.h (cycle by cycle) derive from it.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/pmu/follower.h"
#include "models/pmu/monitor.h"
#include "models/pmu/tlm_registers.h"

namespace pmusim::pmu {

// Pin edges that are still to be driven on the wires: certain edges, and edges foreseen by scanning ahead.

/// Edges are foreseen by a scan, driven at their times, and become certain when the scan is adopted. If the scan is
/// repeated from an earlier cycle, it finds the driven edges again, first and in the same order, because an edge
/// depends only on cycles before it.
class PinSchedule {
 public:
  /// Sets all edges found since the last adopt(), including those driven since then.
  void foresee(std::vector<PinEdge> edges) { foreseen_ = std::move(edges); }
  /// Makes all foreseen edges certain.
  void adopt() {
    const std::size_t driven = std::min(driven_, foreseen_.size());
    certain_.insert(certain_.end(), foreseen_.begin() + static_cast<std::ptrdiff_t>(driven), foreseen_.end());
    foreseen_.clear();
    driven_ = 0;
  }
  /// Cycle of the next edge to drive, or activity::never.
  [[nodiscard]] Cycle next() const {
    const Cycle certain = certain_.empty() ? activity::never : certain_.front().at;
    return driven_ < foreseen_.size() ? std::min(certain, foreseen_[driven_].at) : certain;
  }
  /// Moves the edges up to and including cycle `now` to the end of `edges`.
  void take_due(Cycle now, std::vector<PinEdge>& edges) {
    while (next() <= now) {
      if (!certain_.empty() && certain_.front().at == next()) {
        edges.push_back(certain_.front());
        certain_.erase(certain_.begin());
      } else {
        edges.push_back(foreseen_[driven_++]);
      }
    }
  }

 private:
  std::vector<PinEdge> certain_;
  std::vector<PinEdge> foreseen_;
  std::size_t driven_ = 0;  ///< number of driven edges at the beginning of foreseen_
};

/// Options of a PMU on wires.
struct ModuleOptions {
  sc_core::sc_time clock_period{1, sc_core::SC_NS};  ///< period of the core clock
  bool counter_reads_allowed = false;                ///< for accesses of the program itself (x86 CR4.PCE)
  Cycle first_cycle = 0;                             ///< first cycle of the activity
};

/// Ports may stay unbound. Outputs change in the delta cycle after their time.
///
/// There are two ways to take the interrupt. If `taken` is unbound, the model takes it at the cycle at which the
/// processor would, and runs the handler. If `taken` is bound, the platform takes it: the line stays high until a
/// rising edge of `taken`, or until a register write or a reset withdraws the request, and no handler runs.
class PmuShell : public sc_core::sc_module {
 public:
  /// Called between two cycles, when the interrupt is taken. It may access registers, but must not wait.
  using Handler = std::function<void(const EntryState&)>;
  /// Called with the result of each register access of the program itself.
  using AccessLog = std::function<void(const AccessReport&)>;

  tlm_utils::simple_target_socket<PmuShell> registers;  ///< see tlm_registers.h
  sc_core::sc_out<bool> interrupt;  ///< high from the request until it is taken, for at least half a clock
  sc_core::sc_in<bool> taken;       ///< a rising edge: the platform's processor has accepted the interrupt
  sc_core::sc_in<bool> reset;  ///< hard reset, repeated when the signal falls, to clear what was counted in between
  sc_core::sc_vector<sc_core::sc_out<bool>> pins;  ///< output pins, Monitor::pin_count() of them

  /// Sets the function that runs when the model takes the interrupt. Must be called before the simulation starts.
  void on_interrupt(Handler handler) { handler_ = std::move(handler); }
  /// Sets the function that is called for every register access of the program itself. Must be called before the
  /// simulation starts.
  void on_access(AccessLog log) { access_log_ = std::move(log); }
  /// Sets the function that is called for each pin edge, in order and at its time, whether or not the pin is bound.
  /// Must be called before the simulation starts.
  void on_pin_edge(std::function<void(const PinEdge&)> watcher) { pin_watcher_ = std::move(watcher); }
  /// Drives the pins even if they are not bound, for a waveform. Must be called before the simulation starts.
  void want_pins() { pins_wanted_ = true; }
  /// Adds interrupt and pins to a waveform.
  void trace(sc_core::sc_trace_file* file) const override;
  /// No interrupt is taken after a cycle before this one. Takes effect with the next block.
  void hold_until(Cycle cycle) { live_.hold_until(cycle); }
  /// The monitor after all final cycles.
  [[nodiscard]] const Monitor& monitor() const { return live_.monitor(); }
  /// The monitor after all final cycles, with its interrupt port and its position.
  [[nodiscard]] const Follower& follower() const { return live_; }
  /// The time at which a cycle of the latest activity begins.
  [[nodiscard]] sc_core::sc_time time_of(Cycle cycle) const;

 protected:
  /// The monitor keeps its state; its registers can be accessed by TLM from the start of the simulation.
  PmuShell(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor, const ModuleOptions& options);
  /// Makes all cycles before the present time final, as required for a register access.
  virtual void settle() = 0;
  /// Called after a register was written from outside; all cycles before the write are final. Not called for writes by
  /// a handler.
  virtual void register_written() = 0;
  /// The state that live_ would have after settle(). live_ is not changed.
  [[nodiscard]] virtual Follower settled_copy() = 0;

  /// Binds the ports that were left unbound.
  void before_end_of_elaboration() override;
  /// Declares that `cycle` begins at the present time.
  void anchor(Cycle cycle);
  /// The first cycle boundary that is not before now: accesses within a cycle take effect at its end.
  [[nodiscard]] Cycle boundary_now() const;
  /// Drives the level of the line; takes the interrupt and runs its handler if the stop requests it.
  void react(const Stop& stop, const Block& block);
  /// Reports the program's accesses since the last call to the access log.
  void log_accesses();
  /// True if pins are observed or bound.
  [[nodiscard]] bool pins_wanted() const { return pins_wanted_; }
  /// Drives all scheduled edges up to and including cycle `now`.
  void drive_pins_until(Cycle now);

  Follower live_;          ///< state after all final cycles
  ModuleOptions options_;  ///< as passed to the constructor
  PinSchedule schedule_;   ///< pin edges that are still to be driven

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
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> unbound_;  ///< signals for ports that were left unbound
};

}  // namespace pmusim::pmu
