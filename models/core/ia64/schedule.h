// What is known to happen later: occurrences of requests that are under way, and how full queues are. Requests are
// timed when they are made, by reserving what they need; their occurrences come up here in their cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/core/ia64/recording.h"

namespace pmusim::core::ia64 {

/// Queues and buffers whose fill is visible in a state.
enum class Level : std::uint8_t {
  queue,
  queue_data,
  victims,
  fills,
  acquires,
  releases,  // State::l2_queue
  bus_reads,
  in_order,
  deferred,
  bus_requests,
  snoops,  // State::bus_queues
  request_buffers,
  prefetch_flow,
  prefetch_held,  // State::fetch_buffers
  bus_data,
  bus_data_other,
  bus_data_io,
  bus_data_core,
  back_to_back,
  snoop_stall_self,
  snoop_stall_other,
  snoop_stall_io,
  snoop_stall_core,  // State::bus_clocks
  instructions_rejected,
  data_rejected,  // State::request_reject
  own_requests,
  own_writes,
  own_castouts,
  own_snoops,
  own_in_order,
  foreign_requests,
  foreign_writes,
  foreign_castouts,
  foreign_snoops,
  foreign_in_order,  // State::interface_self, State::interface_both
  count_
};

/// Capacities that the state bits are derived from.
struct Capacities {
  unsigned queue = 32, queue_data = 24, victims = 16, fills = 16, request_buffers = 8;
  bool two_cores = false;  ///< State::bus_clocks says whose data it is
};

class Schedule {
 public:
  Schedule(Log& log, const Capacities& capacities) : log_(log), capacities_(capacities) {}

  /// An occurrence in cycle `at`, of a request or of nothing.
  void occur(Cycle at, Signal signal, Access* access, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    push({at, order_++, What::occurrence, signal, Level::count_, 0, detail, amount, access});
  }
  /// The data of the request is there (Signal::load_return or fetch_return): from then on it says where it was served.
  void serve(Cycle at, Signal signal, Access& access, act::Served served) {
    access.served = served;
    push({at, order_++, What::serve, signal, Level::count_, 0, 0, 1, &access});
  }
  /// An entry is in the queue from cycle `from` to before cycle `to`.
  void occupy(Cycle from, Cycle to, Level level) {
    push({from, order_++, What::level, {}, level, 1, 0, 0, nullptr});
    push({to, order_++, What::level, {}, level, -1, 0, 0, nullptr});
  }
  /// The occurrence of this signal that a request still has before it gets another detail.
  void amend(Signal signal, const Access* access, std::uint16_t detail) {
    for (Due& due : heap_) {
      if (due.what == What::occurrence && due.signal == signal && due.access == access) due.detail = detail;
    }
  }
  [[nodiscard]] Cycle next() const { return heap_.empty() ? activity::never : heap_.front().at; }
  /// Does what is due up to and in this cycle.
  void run(Cycle now) {
    while (!heap_.empty() && heap_.front().at <= now) {
      std::pop_heap(heap_.begin(), heap_.end(), Later{});
      const Due due = heap_.back();
      heap_.pop_back();
      act(due);
    }
  }
  [[nodiscard]] unsigned level(Level level) const { return levels_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] bool empty() const { return heap_.empty(); }

 private:
  enum class What : std::uint8_t { occurrence, serve, level };
  struct Due {
    Cycle at;
    std::uint64_t order;
    What what;
    Signal signal;
    Level level;
    std::int8_t delta;
    std::uint16_t detail, amount;
    Access* access;
  };
  struct Later {
    bool operator()(const Due& a, const Due& b) const { return a.at != b.at ? a.at > b.at : a.order > b.order; }
  };
  void push(const Due& due) {
    if (due.access != nullptr) ++due.access->holds;
    heap_.push_back(due);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }
  void act(const Due& due);
  void show(Level level);
  [[nodiscard]] std::uint64_t bus_clocks() const;
  void show_interface();

  Log& log_;
  Capacities capacities_;
  std::vector<Due> heap_;
  std::uint64_t order_ = 0;
  std::array<unsigned, static_cast<std::size_t>(Level::count_)> levels_{};
};

}  // namespace pmusim::core::ia64
