// The load-store unit: LS1 probes the data cache, LS2 waits for data and for stores to retire.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/athlon/in_flight.h"
#include "models/core/athlon/memory_side.h"
#include "models/core/athlon/window.h"
#include "models/core/parts/tlb.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::athlon {

/// What the core must look at when a store's address is known.
class StoreWatcher {
 public:
  virtual ~StoreWatcher() = default;
  virtual void store_probed(Sequence sequence, std::uint64_t address, unsigned size, NamedRequest& request) = 0;
};

class LoadStore {
 public:
  LoadStore(Machine& machine, InFlight& flight, MemorySide& memory, Window& window, StoreWatcher& watcher);

  /// True if that many accesses find room.
  [[nodiscard]] bool has_room(std::size_t accesses) const;
  /// The accesses of a chunk enter in program order. Access i belongs to macro-operation i, or the last one.
  void dispatch(Sequence sequence, const trace::Instruction& instruction);
  /// The address part of a macro-operation executes in this cycle. Without a known access (wrong path, or the
  /// recorder did not see it) a load takes as long as a hit and leaves the caches alone.
  void address_issued(Sequence sequence, unsigned operation);
  /// One cycle: data that arrived, probes, stores that leave.
  void step() {
    if (memory_.data_arrived() != 0) wake_waiting();
    if (!to_probe_.empty()) probe();
    if (!stores_.empty()) leave_stores();
  }
  /// The chunk retires: its stores may leave.
  void retire(Sequence sequence);
  void kill(Sequence from);
  /// Nothing waits here.
  [[nodiscard]] bool empty() const { return occupied_ == 0; }
  void flush_tlbs();

 private:
  struct Entry {
    Sequence sequence = 0;
    std::uint64_t place = 0;  ///< of its macro-operation
    std::uint64_t address = 0;
    std::uint64_t physical = 0;
    Cycle probe_at = activity::never;  ///< address known, transport done
    Cycle translated_at = 0;
    Cycle forced_ready = 0;   ///< `lat=`: when the data is there; 0: as modelled
    std::uint32_t fills = 0;  ///< waits for these, one bit each
    std::uint16_t size = 0;
    std::uint16_t forced_latency = 0;
    MemoryType type = MemoryType::write_back;
    trace::Level forced_level = trace::Level::unset;
    trace::TlbOutcome forced_tlb = trace::TlbOutcome::unset;
    std::uint8_t operation = 0;
    bool store = false, prefetch = false;
    bool update = false;  ///< store to what the instruction has loaded
    bool translated = false, first_half_done = false, missed = false;
    bool probed = false, retired = false;
    NamedRequest request;
  };
  using Index = std::uint16_t;

  inline Index allocate();
  void release(Index index);
  void wake_waiting();
  void probe();
  enum class Progress : std::uint8_t { done, partly, blocked };
  inline Progress probe_one(Index index, unsigned& ports, unsigned& store_bytes);
  inline bool translate(Entry& e);
  inline void finish_probe(Index index);
  void data_returns(Entry& e);
  void leave_stores();

  Machine& machine_;
  const Settings& settings_;
  Agenda& agenda_;
  InFlight& flight_;
  MemorySide& memory_;
  Window& window_;
  StoreWatcher& watcher_;
  Tlb tlb_, tlb2_;
  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::vector<Index> to_probe_;  ///< LS1, in program order
  std::vector<Index> waiting_;   ///< probed loads that wait for fills
  std::vector<Index> stores_;    ///< probed or not, in program order, until they have left
  std::size_t occupied_ = 0;
  Cycle walk_until_ = 0;
  std::vector<bool> accessed_, dirty_;  ///< bits of the page tables, by page number
};

}  // namespace pmusim::core::athlon
