// What all units of an IA-64 core share: settings, the recorder, what is scheduled, memory's map.
#pragma once

#include "models/core/ia64/schedule.h"
#include "models/core/ia64/settings.h"
#include "models/core/parts/memory_map.h"

namespace pmusim::core::ia64 {

struct Machine {
  explicit Machine(const Settings& given)
      : settings(given),
        schedule(log, {static_cast<unsigned>(given.queue_entries), static_cast<unsigned>(given.queue_data),
                       static_cast<unsigned>(given.victim_buffers), static_cast<unsigned>(given.fill_buffers),
                       static_cast<unsigned>(given.request_buffers)}),
        map(given.page_bytes) {}
  const Settings settings;
  Log log;
  Schedule schedule;
  MemoryMap map;
  Cycle now = 0;
};

/// Times at which the entries of a bounded buffer become free.
class Occupancy {
 public:
  explicit Occupancy(std::uint64_t entries) : entries_(static_cast<std::size_t>(entries)) {}
  /// First cycle from `at` on in which an entry is free.
  [[nodiscard]] Cycle free_from(Cycle at) { return free_from(at, 1); }
  /// ... in which `wanted` entries are free.
  [[nodiscard]] Cycle free_from(Cycle at, std::size_t wanted) {
    std::erase_if(until_, [at](Cycle until) { return until <= at; });
    wanted = std::min(wanted, entries_);
    if (until_.size() + wanted <= entries_) return at;
    const std::size_t leave = until_.size() + wanted - entries_;
    std::nth_element(until_.begin(), until_.begin() + static_cast<std::ptrdiff_t>(leave - 1), until_.end());
    return until_[leave - 1];
  }
  void take(Cycle until) { until_.push_back(until); }
  [[nodiscard]] bool empty_at(Cycle at) const {
    return std::all_of(until_.begin(), until_.end(), [at](Cycle until) { return until <= at; });
  }

 private:
  std::size_t entries_;
  std::vector<Cycle> until_;
};

/// How often something has been used in a cycle, for the cycles around the present one.
class PerCycle {
 public:
  [[nodiscard]] unsigned count(Cycle at) const {
    const Slot& slot = slots_[at % slots_.size()];
    return slot.at == at ? slot.count : 0;
  }
  /// First cycle from `at` on in which it has been used less than `most` times; uses it there.
  Cycle next(Cycle at, unsigned most = 1) {
    while (count(at) >= most) ++at;
    add(at);
    return at;
  }
  void add(Cycle at) {
    Slot& slot = slots_[at % slots_.size()];
    if (slot.at != at) slot = {at, 0};
    ++slot.count;
  }

 private:
  struct Slot {
    Cycle at = activity::never;
    unsigned count = 0;
  };
  std::array<Slot, 1024> slots_{};
};

}  // namespace pmusim::core::ia64
