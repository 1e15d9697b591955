// What the caches of the 750GX hold after each of its accesses. The model takes the order of lookups, fetches and
// snoops from activity and the order of stores and cache operations from the program, and computes what has to follow:
// hit or miss, the blocks that leave and their states, the work of L2 in its order, and what goes to the bus. The first
// occurrence that differs is described in error().
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/tests/list_models/cycles.h"
#include "testbench/tests/list_models/ppc750_lists.h"

namespace pmusim::testbench::ppc750_lists {

using namespace core_cycles;  // NOLINT: the words of one test

constexpr std::uint16_t bits(unsigned value) { return static_cast<std::uint16_t>(value); }
constexpr std::uint16_t result_of(bool hit) {
  return hit ? activity::detail::lookup_hit : activity::detail::lookup_miss;
}

/// What leaves through the store queue, in program order.
enum class StoreKind { store, zero, flush, store_back, invalidate, invalidate_instruction };
struct StoreWork {
  StoreKind kind;
  std::uint64_t address;
  bool refilled = false;  ///< of an icbi: code came into its set while the icbi may have been done already
};

class CachesModel {
 public:
  explicit CachesModel(const models::Parameters& parameters);
  static constexpr std::array signals = {Signal::dcache_lookup, Signal::fetch,      Signal::line_request,
                                         Signal::line_fill,     Signal::line_evict, Signal::l2_lookup,
                                         Signal::bus_request,   Signal::snoop};

  /// The next store or cache operation, and the next snoop, of the program.
  void expect_store(const StoreWork& work) { stores_.push_back(work); }
  void expect_snoop(const std::string& kind, std::uint64_t address) { snoops_.push_back({kind, address}); }

  /// False after an error.
  bool step(const CycleView& view);
  void finish();
  [[nodiscard]] const std::string& error() const { return error_; }
  /// Number of things that were compared, by signal.
  [[nodiscard]] std::uint64_t compared(Signal signal) const { return compared_[static_cast<std::size_t>(signal)]; }
  std::uint64_t castouts = 0, l2_castouts = 0, pending = 0, pushes = 0, retries = 0, walks = 0;

 private:
  static constexpr std::uint64_t line_bytes = 32;
  enum class Work { read, castout, operate };
  struct Miss {
    std::uint64_t line;
    bool code;
    std::uint16_t access;  ///< of the lookup that missed
    bool own = false;      ///< a store waits for it
    bool on_bus = false;
    LineState found = LineState::invalid;
    Cycle due = activity::never;
  };
  struct L2Job {
    Work work;
    Cycle earliest;
    std::uint64_t line;
    bool code = false;
    StoreKind kind = StoreKind::store;
    bool pushed = false;  ///< L1 has pushed the block to the bus
  };
  struct Expected {
    std::uint16_t detail;
    std::uint64_t line = 0;  ///< of the request, where it names one
  };
  struct Snoop {
    std::string kind;
    std::uint64_t address;
  };

  void snoop();
  void arrive(const CycleView& view);
  void advance_l2(Cycle now);
  void work_l2(const CycleView& view);
  void read_l2(const L2Job& job);
  void castout_to_l2(std::uint64_t line);
  void operate_l2(const L2Job& job);
  void add_to_l2(std::uint64_t line, LineState state);
  void look_up(const CycleView& view, const Occurrence& o);
  void walk(std::uint64_t line, std::uint16_t detail);
  void take_store(std::uint64_t address, std::uint16_t detail);
  void operate(const StoreWork& work);
  void invalidate_instructions(const CycleView& view);
  void skip_invalidations(std::uint64_t address);
  void fetch(const CycleView& view, const Occurrence& o);
  void leaves_l1d(const std::optional<L1Set::Block>& gone);
  void write_bus() { expect(Signal::bus_request, bus_write); }
  Miss* miss_of(std::uint64_t line, bool code);
  [[nodiscard]] std::size_t bus_reads() const;
  void expect(Signal signal, std::uint16_t detail, std::uint64_t line = 0) {
    expected_[static_cast<std::size_t>(signal)].push_back({detail, line});
  }
  void compare(const CycleView& view, Signal signal, const char* name);
  void wrong_result(const char* what, unsigned got, unsigned wanted);
  void fail(const std::string& what);
  [[nodiscard]] std::string held();

  static const std::uint16_t bus_read, bus_write;
  L1 l1i_, l1d_;
  L2 l2_;
  std::vector<Miss> misses_;
  std::deque<L2Job> jobs_;
  std::deque<StoreWork> stores_;
  std::deque<Snoop> snoops_;
  Cycle now_ = 0, l2_free_ = 0, bus_free_ = 0, room_since_ = 0;
  Cycle l2_latency_, castout_cycles_, memory_latency_, line_rest_;
  std::uint64_t page_table_;
  std::size_t data_misses_, l2_misses_;
  bool push_retries_;
  std::array<std::vector<Expected>, activity::signal_count> expected_;
  std::array<std::uint64_t, activity::signal_count> compared_{};
  std::uint64_t number_ = 0, address_ = 0;
  std::string error_;
};

}  // namespace pmusim::testbench::ppc750_lists
