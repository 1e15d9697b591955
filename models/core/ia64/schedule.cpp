#include "models/core/ia64/schedule.h"

namespace pmusim::core::ia64 {

/// True if the queue has so few entries, with this one, that no visible state changes. Otherwise all its entries are
/// scheduled.
bool Schedule::is_unseen(const Stay& stay, Level level) {
  const Cycle now = wheel_.now();
  const auto number = static_cast<std::size_t>(level);
  auto& [stays, scheduled] = unseen_[number];
  if (scheduled == 0) {
    const std::size_t seen = queue_bits_[number].from;
    if (stays.size() + 1 >= seen) std::erase_if(stays, [now](const Stay& s) { return s.to <= now; });
    if (stays.size() + 1 < seen) {
      stays.push_back(stay);
      return true;
    }
    const auto which = static_cast<std::uint8_t>(level);
    for (const Stay& s : stays) {
      if (s.from > now) {
        push(s.from, nullptr, What::level, which, 1, 0, 0);
      } else {
        ++levels_[number];
      }
      push(s.to, nullptr, What::level, which, -1, 0, 0);
    }
    scheduled = static_cast<unsigned>(stays.size());
    stays.clear();
  }
  ++scheduled;
  return false;
}

void Schedule::act(Cycle at, Due due) {
  switch (due.what()) {
    case What::level:
      levels_[static_cast<std::size_t>(due.level())] += static_cast<unsigned>(due.delta());
      if (due.level() <= Level::queue_data && due.delta() < 0)
        --unseen_[static_cast<std::size_t>(due.level())].scheduled;
      if (due.level() <= Level::releases) {
        show_queue(due.level());
      } else {
        show(due.level());
      }
      return;
    case What::serve:
      if (!due.access->dropped) recorder_.serve(due.signal(), *due.access, at);
      recorder_.drop(*due.access);
      return;
    case What::occurrence:
      if (due.access == nullptr) {
        recorder_.occur(due.signal(), due.detail(), due.amount());
      } else {
        recorder_.occur(due.signal(), *due.access, due.detail(), due.amount());
        recorder_.drop(*due.access);
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
  if (changed <= Level::snoops) {
    constexpr unsigned most = 31, most_in_order = 15;
    const unsigned most_snoops = settings_.split() ? most : 7;
    recorder_.set(State::bus_queues, field(Level::bus_reads, act::bus_queues::memory_reads_shift, most) |
                                         field(Level::in_order, act::bus_queues::in_order_shift, most_in_order) |
                                         field(Level::deferred, act::bus_queues::deferred_shift, most) |
                                         field(Level::bus_requests, act::bus_queues::requests_shift, most) |
                                         field(Level::snoops, act::bus_queues::snoops_shift, most_snoops));
  } else if (changed <= Level::prefetch_held) {
    const bool held = level(Level::prefetch_flow) + level(Level::prefetch_held) != 0;
    recorder_.set(State::fetch_buffers,
                  bit(Level::request_buffers, act::fetch_buffers::full, settings_.request_buffers) |
                      bit(Level::request_buffers, act::fetch_buffers::almost_full, settings_.request_buffers - 1) |
                      (held ? act::fetch_buffers::prefetch_held : 0) |
                      bit(Level::prefetch_flow, act::fetch_buffers::prefetch_flow));
  } else if (changed <= Level::snoop_stall_core) {
    recorder_.set(State::bus_clocks, bus_clocks());
  } else if (changed <= Level::data_rejected) {
    recorder_.set(State::request_reject, bit(Level::instructions_rejected, act::request_reject::instruction) |
                                             bit(Level::data_rejected, act::request_reject::data));
  } else {
    show_interface();
  }
}

/// The state of the bus and, on processors that report it, whose data is transferred and whose snoop phase is stalled.
std::uint64_t Schedule::bus_clocks() const {
  namespace bits = act::bus_clocks;
  const auto agent = [this](Level other, Level io, Level core) {
    const act::BusAgent which = level(other) != 0  ? act::BusAgent::other_processor
                                : level(io) != 0   ? act::BusAgent::io
                                : level(core) != 0 ? act::BusAgent::other_core
                                                   : act::BusAgent::self;
    return static_cast<std::uint64_t>(which);
  };
  const bool stalls =
      level(Level::snoop_stall_other) + level(Level::snoop_stall_io) + level(Level::snoop_stall_core) != 0;
  const std::uint64_t value = (level(Level::bus_data) != 0 ? bits::data : 0) |
                              (level(Level::snoop_stall_self) != 0 ? bits::snoop_stall_self : 0) |
                              (stalls ? bits::snoop_stall_other : 0);
  if (!settings_.split()) return value;
  return value | (level(Level::back_to_back) != 0 ? bits::back_to_back : 0) |
         agent(Level::bus_data_other, Level::bus_data_io, Level::bus_data_core) << bits::data_agent_shift |
         agent(Level::snoop_stall_other, Level::snoop_stall_io, Level::snoop_stall_core) << bits::stall_agent_shift;
}

void Schedule::show_interface() {
  namespace queues = act::interface_queues;
  constexpr unsigned most = 15;
  constexpr std::array shifts = {queues::request_shift, queues::write_shift, queues::clean_castout_shift,
                                 queues::snoop_coalescing_shift, queues::in_order_shift};
  const auto plus = [](Level l, std::size_t i) { return static_cast<Level>(static_cast<std::size_t>(l) + i); };
  std::uint64_t own = 0, both = 0;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const unsigned here = level(plus(Level::own_requests, i)), there = level(plus(Level::foreign_requests, i));
    own |= std::uint64_t{std::min(here, most)} << shifts[i];
    both |= std::uint64_t{std::min(here + there, most)} << shifts[i];
  }
  recorder_.set(State::interface_self, own);
  recorder_.set(State::interface_both, both);
}

}  // namespace pmusim::core::ia64
