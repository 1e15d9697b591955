#include "models/core/ia64/schedule.h"

namespace pmusim::core::ia64 {

void Schedule::act(const Due& due) {
  switch (due.what) {
    case What::level:
      levels_[static_cast<std::size_t>(due.level)] += static_cast<unsigned>(static_cast<int>(due.delta));
      show(due.level);
      return;
    case What::serve:
      if (due.access->dropped) {
        log_.drop(*due.access);
        return;
      }
      due.access->more.served = due.access->served;
      due.access->record.end = due.at;
      [[fallthrough]];
    case What::occurrence:
      if (due.access == nullptr) {
        log_.occur(due.signal, due.detail, due.amount);
      } else {
        log_.occur(due.signal, *due.access, due.detail, due.amount);
        log_.drop(*due.access);
      }
      return;
  }
}

void Schedule::show(Level changed) {
  const auto bit = [this](Level l, std::uint64_t value, unsigned at_least = 1) {
    return level(l) >= at_least ? value : 0;
  };
  const auto field = [this](Level l, unsigned shift, unsigned most) {
    return std::uint64_t{std::min(level(l), most)} << shift;
  };
  if (changed <= Level::releases) {
    log_.set(State::l2_queue, bit(Level::queue, act::l2_queue::full, capacities_.queue) |
                                  bit(Level::queue_data, act::l2_queue::data_full, capacities_.queue_data) |
                                  bit(Level::victims, act::l2_queue::victims_full, capacities_.victims) |
                                  bit(Level::fills, act::l2_queue::fills_full, capacities_.fills) |
                                  bit(Level::acquires, act::l2_queue::has_acquire) |
                                  bit(Level::releases, act::l2_queue::has_release));
  } else if (changed <= Level::snoops) {
    constexpr unsigned most = 31, most_in_order = 15, most_snoops = 7;
    log_.set(State::bus_queues, field(Level::bus_reads, act::bus_queues::memory_reads_shift, most) |
                                    field(Level::in_order, act::bus_queues::in_order_shift, most_in_order) |
                                    field(Level::deferred, act::bus_queues::deferred_shift, most) |
                                    field(Level::bus_requests, act::bus_queues::requests_shift, most) |
                                    field(Level::snoops, act::bus_queues::snoops_shift, most_snoops));
  } else if (changed <= Level::prefetch_held) {
    const bool held = level(Level::prefetch_flow) + level(Level::prefetch_held) != 0;
    log_.set(State::fetch_buffers,
             bit(Level::request_buffers, act::fetch_buffers::full, capacities_.request_buffers) |
                 bit(Level::request_buffers, act::fetch_buffers::almost_full, capacities_.request_buffers - 1) |
                 (held ? act::fetch_buffers::prefetch_held : 0) |
                 bit(Level::prefetch_flow, act::fetch_buffers::prefetch_flow));
  } else {
    log_.set(State::bus_clocks, bit(Level::bus_data, act::bus_clocks::data) |
                                    bit(Level::snoop_stall_self, act::bus_clocks::snoop_stall_self) |
                                    bit(Level::snoop_stall_other, act::bus_clocks::snoop_stall_other));
  }
}

}  // namespace pmusim::core::ia64
