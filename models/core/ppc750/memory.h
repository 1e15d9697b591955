// The memory side of the 750GX core: both L1 caches, L2, the bus, and the transfers between them. The cycle of each
// change is known in advance, so the core can skip the cycles in between.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/parts/cache.h"
#include "models/core/parts/tlb.h"
#include "models/core/ppc750/machine.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::ppc750 {

/// The next cycle in which something can change. A unit that waits for a known cycle registers it here.
struct Wake {
  Cycle at = activity::never;
  void on(Cycle cycle) {
    if (cycle < at) at = cycle;
  }
};

/// The outcome that an annotation forces for one access.
struct Forced {
  trace::Level level = trace::Level::unset;
  std::optional<std::uint32_t> latency;  ///< from the L1 lookup to the data
};

/// Identifies a line in flight to an L1; remains valid after the arrival of the line.
struct MissRef {
  std::uint32_t index = 0;
  std::uint64_t serial = 0;
};

enum class ProbeResult : std::uint8_t {
  hit,      ///< the line is present
  miss,     ///< absent; a request for the line was made
  pending,  ///< in flight
  busy      ///< absent, and no request can be made now; nothing was recorded
};
struct Probe {
  ProbeResult result = ProbeResult::busy;
  MissRef miss;  ///< of miss and pending
};

enum class CacheOperation : std::uint8_t { zero, flush, store_back, invalidate, invalidate_instruction };
enum class SnoopKind : std::uint8_t { read, read_modify, clean, flush, kill, write, write_kill };

class MemorySide {
 public:
  MemorySide(Machine& machine);

  /// Performs the work that is due in this cycle, before any other unit.
  void step(Cycle now, Wake& wake);
  /// True if nothing is in flight between caches and memory.
  [[nodiscard]] bool quiet() const { return active_ == 0 && l2_queue_.empty(); }
  /// True if no data line is in flight to L1D.
  [[nodiscard]] bool data_quiet() const { return (active_ & ~instruction_bit()) == 0; }

  /// L1I lookup for a fetch; records Signal::fetch unless busy.
  Probe fetch(Cycle now, NamedRequest& request, const Forced& forced);
  /// The same for a line that L1I has, if no subscriber reads the record of the request. False otherwise, and nothing
  /// is done.
  bool fetch_hit(std::uint64_t address) {
    if (machine_.recorder.names(Signal::fetch)) return false;
    if (l1i_.lookup(map.translate(address)) == LineState::invalid) return false;
    machine_.recorder.occur(Signal::fetch, activity::detail::lookup_hit);
    return true;
  }
  /// L1D lookup. `access`: bits access_* of the lookup's detail. `own`: the line will be written.
  Probe data(Cycle now, NamedRequest& request, std::uint16_t access, bool own, const Forced& forced);
  /// A store to write-through memory: writes to the bus, and to L1D if the line is present.
  void write_through(NamedRequest& request);
  /// True if the line is in L1D. Changes and records nothing.
  [[nodiscard]] bool present(std::uint64_t address) const { return l1d_.find(map.translate(address)) != Cache::none; }
  /// A read or write that bypasses the caches. The data of a read arrives as for a miss.
  MissRef read_uncached(Cycle now, NamedRequest& request, const Forced& forced);
  [[nodiscard]] bool can_read_uncached() const { return free_data_miss() != none; }
  void write_bus(NamedRequest& request, std::uint64_t physical, MemoryType type);

  /// True if the critical double word of a missed line has arrived.
  [[nodiscard]] bool data_ready(MissRef ref, Cycle now) const {
    const Miss& m = misses_[ref.index];
    return m.serial != ref.serial || m.data_at <= now;
  }
  /// Cycles from `now` until the whole line is in the cache; `now` is the cycle in which data_ready() became true.
  [[nodiscard]] Cycle fill_lag(MissRef ref, Cycle now) const {
    return line_ready(ref) ? 0 : misses_[ref.index].fill_at - now;
  }
  /// The request that started a miss, while its line is in flight.
  [[nodiscard]] NamedRequest& request(MissRef ref) { return misses_[ref.index].request; }
  /// True if the whole line is in the cache.
  [[nodiscard]] bool line_ready(MissRef ref) const {
    return misses_[ref.index].serial != ref.serial || !is_active(ref.index);
  }
  /// Marks a line in the cache as modified.
  void set_modified(std::uint64_t physical) {
    const Cache::Slot slot = l1d_.find(physical);
    if (slot != Cache::none) l1d_.set_state(slot, physical, LineState::modified);
  }

  /// Performs a cache operation.
  void operate(Cycle now, CacheOperation operation, NamedRequest& request);
  /// The table search engine reads a page table entry; returns where it was found.
  trace::Level read_table_entry(Cycle now, NamedRequest& request);

  /// Another agent's transaction. `retry`: other agents also answer it with a retry.
  void snoop(SnoopKind kind, std::uint64_t physical, bool retry);
  /// Another agent transfers a line over the bus without a snoop.
  void foreign_transfer(Cycle now, std::uint64_t physical);
  /// Puts a line into a state without any traffic.
  void set_line(std::uint64_t physical, LineState state);
  /// The next transfer of the line from L2 or from the system has a single-bit error.
  void plant_error(std::uint64_t physical, bool from_l2) { errors_.push_back({l1d_.line_of(physical), from_l2}); }

  MemoryMap map;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Miss {
    std::uint64_t serial = 0;
    std::uint64_t physical = 0;  ///< critical address
    std::uint16_t access = 0;
    bool instruction = false;
    bool own = false;  ///< the line will be written
    bool cached = true;
    bool on_bus = false;
    Forced forced;
    LineState found = LineState::invalid;  ///< in L2
    Cycle start = 0;
    Cycle data_at = activity::never;
    Cycle fill_at = activity::never;
    NamedRequest request = {};
    [[nodiscard]] unsigned side() const { return instruction ? 0u : activity::detail::side_data; }
  };
  enum class L2Work : std::uint8_t { read, write, operate };
  struct L2Request {
    L2Work work = L2Work::read;
    Cycle earliest = 0;
    std::uint32_t miss = 0;      ///< read
    std::uint64_t physical = 0;  ///< write, operate
    CacheOperation operation = CacheOperation::zero;
    NamedRequest request = {};  ///< operate
  };
  struct Error {
    std::uint64_t line;
    bool from_l2;
  };

  [[nodiscard]] std::uint32_t instruction_bit() const { return 1u << machine_.settings.l1d_misses; }
  [[nodiscard]] bool is_active(std::uint32_t index) const { return (active_ & (1u << index)) != 0; }
  [[nodiscard]] std::uint32_t free_data_miss() const;
  [[nodiscard]] std::uint32_t find_miss(std::uint64_t physical, bool instruction) const;
  void start_miss(Cycle now, std::uint32_t index, NamedRequest& request, std::uint64_t physical, std::uint16_t access,
                  const Forced& forced);
  void fill(std::uint32_t index);
  void work_l2(Cycle now, Wake& wake);
  void read_l2(Cycle now, Miss& miss);
  void from_bus(Cycle now, Miss& miss);
  void operate_l2(CacheOperation operation, std::uint64_t physical, NamedRequest& request);
  void evict_l1i(const Victim& victim);
  void evict_l1d(Cycle now, const Victim& victim);
  void record_l2_victim(const Victim& victim);
  void correct_error(std::uint64_t physical, bool from_l2, NamedRequest& request);
  [[nodiscard]] std::uint16_t bus_detail(std::uint64_t physical, MemoryType type) const;
  [[nodiscard]] std::uint16_t write_detail(std::uint64_t physical) const;
  [[nodiscard]] bool in_flight(std::uint64_t line) const;

  Machine& machine_;
  Cache l1i_, l1d_, l2_;
  std::vector<Miss> misses_;  ///< data misses, then the miss of the instruction side
  std::uint32_t active_ = 0;  ///< one bit for each of misses_
  std::uint64_t serial_ = 0;
  unsigned bus_reads_ = 0;
  Cycle bus_free_ = 0;
  std::vector<L2Request> l2_queue_;  ///< first in, first out; short
  Cycle l2_free_ = 0;
  std::vector<Error> errors_;
};

// Instruction and data TLB, and the table search engine that they share.

enum class Side : std::uint8_t { instruction = 0, data = 1 };

class Translation {
 public:
  Translation(Machine& machine, MemorySide& memory);

  /// True if the page is in the TLB of this side.
  bool hit(Side side, std::uint64_t address) {
    Last& last = last_[index(side)];
    const std::uint64_t page = address >> 12;
    if (last.valid && last.page == page) return true;
    if (!tlbs_[index(side)].lookup(page, space_)) return false;
    last = {page, true};
    return true;
  }
  /// Starts a table search for the address of `request`; returns false if the engine is busy. From the cycle in which
  /// the search ends, the translation hits.
  bool start_walk(Cycle now, Side side, const NamedRequest& request, Wake& wake);
  /// Inserts the page into the TLB of this side if it is absent.
  void install(Side side, std::uint64_t address);
  /// Ends a search that is due. Must be called before any other work of the cycle.
  void step(Cycle now, Wake& wake);
  [[nodiscard]] bool walking() const { return walking_; }
  [[nodiscard]] bool walking(Side side) const { return walking_ && side_ == side; }
  /// Sets the process to which the following addresses belong.
  void set_space(std::uint32_t space) {
    space_ = space;
    last_ = {};
  }
  /// Removes the set of a page from both TLBs (tlbie).
  void invalidate(std::uint64_t address) {
    last_ = {};
    for (Tlb& tlb : tlbs_) tlb.invalidate_set(address >> 12);
  }

 private:
  struct Last {
    std::uint64_t page = 0;
    bool valid = false;
  };
  static std::size_t index(Side side) { return static_cast<std::size_t>(side); }

  Machine& machine_;
  MemorySide& memory_;
  std::array<Tlb, 2> tlbs_;
  std::array<Last, 2> last_{};  ///< the page of the last access, which is known to be in the TLB
  std::uint32_t space_ = 0;
  bool walking_ = false;
  Side side_ = Side::data;
  std::uint64_t page_ = 0;
  std::uint32_t walk_space_ = 0;
  Cycle end_ = 0;
};

}  // namespace pmusim::core::ppc750
