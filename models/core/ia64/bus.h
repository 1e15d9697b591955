// The system bus as seen by this processor: its request queue, the in-order queue of all transactions, deferred
// replies, snoops. The times of a transaction are computed at its request.
#pragma once

#include <map>

#include "models/core/ia64/machine.h"

namespace pmusim::core::ia64 {

using activity::LineState;

class Bus {
 public:
  explicit Bus(Machine& machine);

  struct Wish {
    act::BusKind kind = act::BusKind::read_line;
    std::uint64_t address = 0;  ///< physical
    Access* access = nullptr;   ///< the requester; null: none
    bool for_data = true;
    bool clean_castout = false;
    bool non_temporal = false;
  };
  struct Reply {
    Cycle done = 0;       ///< read: the line has arrived; write: the line has left
    bool shared = false;  ///< another cache keeps a copy
    bool dirty = false;   ///< another cache supplied the line modified, and memory is not up to date
  };
  /// First cycle from `at` on in which the request queue has room.
  [[nodiscard]] Cycle room_from(Cycle at) { return requests_.free_from(at); }
  /// A transaction of this processor, requested in cycle `at`, in which the queue has room.
  Reply transact(const Wish& wish, Cycle at);
  /// Another agent's transaction; returns what the snoop found here.
  void foreign(act::BusKind kind, act::BusAgent agent, std::uint64_t line, bool full_line, LineState found, bool in_l1i,
               Cycle at);
  /// The bus logic makes this processor's own caches invalidate a line.
  void back_snoop(LineState found, bool in_l1i, Cycle at);

  /// Sets the state in which other agents hold a line. `! state` uses it for lines that are not cached here.
  void hold_elsewhere(std::uint64_t line, LineState state) { elsewhere_[line] = state; }
  void set_ratio(std::uint64_t clocks, std::uint64_t per) {
    clocks_ = clocks;
    per_ = per;
  }
  /// An entry is in a queue of the system interface from one cycle up to, not including, another (processors with two
  /// cores).
  void occupy_interface(act::InterfaceQueue queue, bool other_core, Cycle from, Cycle to);

 private:
  /// First core cycle of the first bus clock that begins in or after `at`; then `clocks` bus clocks later.
  [[nodiscard]] Cycle edge(Cycle at, std::uint64_t clocks = 0) const {
    const std::uint64_t clock = (at * per_ + clocks_ - 1) / clocks_ + clocks;
    return (clock * clocks_ + per_ - 1) / per_;
  }
  Cycle address_phase(Cycle at);
  Cycle transfer(Cycle from, std::uint64_t clocks, act::BusAgent agent);
  void stall(act::BusAgent agent, Cycle at);
  void snoop(std::uint16_t detail, bool stalls, act::BusAgent agent, Cycle at);

  // The queues of the system interface
  struct Queued {
    std::uint64_t line;
    Cycle until;
    act::InterfaceQueue queue;
  };
  void insert(act::InterfaceQueue queue, unsigned kind, std::uint64_t line, act::BusAgent agent, Cycle from, Cycle to,
              Access* access = nullptr);
  void queue_up(const Wish& wish, Cycle from, Cycle to);
  void collide(std::uint64_t line, act::BusAgent agent, Cycle at);

  Machine& machine_;
  std::uint64_t clocks_ = 5, per_ = 1;  ///< core clocks per bus clock
  Cycle address_free_ = 0, data_free_ = 0;
  Occupancy requests_, in_order_;
  PerCycle inserts_;
  std::map<std::uint64_t, LineState> elsewhere_;
  std::vector<Queued> queued_;
};

}  // namespace pmusim::core::ia64
