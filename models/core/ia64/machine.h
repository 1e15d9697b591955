// What all units of an IA-64 core share: settings, recorder, schedule, memory map.
#pragma once

#include <algorithm>
#include <vector>

#include "models/core/ia64/schedule.h"
#include "models/core/ia64/settings.h"
#include "models/core/parts/tlb.h"

namespace pmusim::core::ia64 {

struct Machine {
  explicit Machine(const Settings& given)
      : settings(given), schedule(recorder, settings), map(given.page_bytes), second_map(given.page_bytes) {}
  const Settings settings;
  Ia64Recorder recorder;
  Schedule schedule;
  MemoryMap map;         ///< types of memory; pages of the first thread
  MemoryMap second_map;  ///< pages of the second thread
  Cycle now = 0;

  // two threads
  /// A demand request that misses L3.
  struct FarMiss {
    Cycle at, ready;  ///< lookup of L3; arrival of the data
    unsigned thread;
    bool fill;  ///< of the register stack
  };
  bool two_threads = false;
  unsigned active = 0;            ///< number of the active thread
  std::uint64_t memory_base = 0;  ///< first address of the active thread's memory
  std::vector<FarMiss> far_misses;
  Cycle l2_return = 0;  ///< the latest data that L2 returns to the active thread

  /// Physical address of an address of the active thread.
  [[nodiscard]] std::uint64_t physical(std::uint64_t address) const {
    return (active == 0 ? map : second_map).translate(address) + memory_base;
  }
  MemoryMap& pages() { return active == 0 ? map : second_map; }
};

/// The cycles in which the entries of a bounded buffer become free.
class Occupancy {
 public:
  explicit Occupancy(std::uint64_t entries) : entries_(static_cast<std::size_t>(entries)) {}
  /// First cycle from `at` on in which an entry is free.
  [[nodiscard]] Cycle free_from(Cycle at) { return free_from(at, 1); }
  /// ... in which `wanted` entries are free.
  [[nodiscard]] Cycle free_from(Cycle at, std::size_t wanted) {
    over_ = std::max(over_, at);
    wanted = std::min(wanted, entries_);
    return until_.size() + wanted <= entries_ ? at : full_until(at, wanted);
  }
  void take(Cycle until) {
    if (until <= over_) tidy();
    until_.push_back(until);
  }
  [[nodiscard]] bool empty_at(Cycle at) const {
    at = std::max(at, over_);
    return std::all_of(until_.begin(), until_.end(), [at](Cycle until) { return until <= at; });
  }

 private:
  [[gnu::noinline]] Cycle full_until(Cycle at, std::size_t wanted) {
    tidy();
    if (until_.size() + wanted <= entries_) return at;
    const std::size_t leave = until_.size() + wanted - entries_;
    std::nth_element(until_.begin(), until_.begin() + static_cast<std::ptrdiff_t>(leave - 1), until_.end());
    return until_[leave - 1];
  }
  void tidy() {
    std::erase_if(until_, [this](Cycle until) { return until <= over_; });
    over_ = 0;
  }
  std::size_t entries_;
  Cycle over_ = 0;  ///< entries taken until this cycle or before are free
  std::vector<Cycle> until_;
};

/// The number of uses of a resource in each cycle around the present one.
class PerCycle {
 public:
  [[nodiscard]] unsigned count(Cycle at) const {
    const std::uint64_t slot = slots_[at % slots_.size()];
    return slot >> count_bits == at ? static_cast<unsigned>(slot & most_counted) : 0;
  }
  /// First cycle from `at` on in which it has been used less than `most` times; uses it there.
  Cycle next(Cycle at, unsigned most = 1) {
    while (count(at) >= most) ++at;
    add(at);
    return at;
  }
  void add(Cycle at) {
    std::uint64_t& slot = slots_[at % slots_.size()];
    if (slot >> count_bits != at) slot = at << count_bits;
    if ((slot & most_counted) != most_counted) ++slot;
  }

 private:
  static constexpr unsigned count_bits = 8;
  static constexpr std::uint64_t most_counted = (1u << count_bits) - 1;
  std::array<std::uint64_t, 1024> slots_{};  ///< cycle and count
};

}  // namespace pmusim::core::ia64
