// The load-store unit: LS1 probes the data cache, LS2 waits for data and for stores to retire.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/athlon/in_flight.h"
#include "models/core/athlon/memory_side.h"
#include "models/core/athlon/window.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::athlon {

class LoadStore {
 public:
  LoadStore(Machine& machine, InFlight& flight, MemorySide& memory, Window& window, AthlonCore& core);

  /// True if there is room for that many accesses.
  [[nodiscard]] bool has_room(std::size_t accesses) const;
  /// The accesses of a chunk enter in program order. Access i belongs to macro-operation i, or the last one.
  void dispatch(Sequence sequence, const trace::Instruction& instruction);
  /// The same for a wrong-path instruction whose address is part of its encoding.
  void dispatch_absolute(Sequence sequence);
  /// The address part of a macro-operation executes in this cycle. A load without a known access (wrong path, or not
  /// seen by the recorder of the trace) takes as long as a hit and does not access the caches.
  void address_issued(Sequence sequence, unsigned operation);
  /// One cycle: takes arrived data, probes, removes stores that are written.
  void step() {
    if (memory_.data_arrived() != 0) wake_waiting();
    if (!held_.empty()) take_store_data();
    if (!to_probe_.empty() && probe_due()) probe();
    if (!stores_.empty()) leave_stores();
  }
  /// The chunk retires: its stores may be written.
  void retire(Sequence sequence);
  void kill(Sequence from);
  /// True if no access is in the unit.
  [[nodiscard]] bool empty() const { return occupied_ == 0; }
  void flush_tlbs() { tlb_.clear(); }

 private:
  using Index = std::uint16_t;
  static constexpr std::uint64_t walk_of_data = 2;  ///< of State::table_walk
  static constexpr Index no_store = 0xffff;
  struct Entry {
    Sequence sequence = 0;
    std::uint64_t place = 0;  ///< position of its macro-operation in the reorder buffer
    std::uint64_t address = 0;
    std::uint64_t physical = 0;
    Cycle probe_at = activity::never;  ///< address known, transport done
    Cycle translated_at = 0;
    Cycle forced_ready = 0;   ///< `lat=`: cycle in which the data is available; 0: as modelled
    std::uint32_t fills = 0;  ///< waits for these fills, one bit each
    std::uint16_t size = 0;
    std::uint16_t forced_latency = 0;
    MemoryType type = MemoryType::write_back;
    trace::Level forced_level = trace::Level::unset;
    trace::TlbOutcome forced_tlb = trace::TlbOutcome::unset;
    std::uint8_t operation = 0;
    AccessKind kind = AccessKind::load;
    bool store = false, prefetch = false;
    bool wrong_path = false;
    bool high_byte = false;  ///< a store of AH, CH, DH or BH
    bool update = false;     ///< a store to an operand that the instruction has loaded
    bool first_half_done = false, missed = false;
    std::uint8_t pages_translated = 0;
    bool probed = false, retired = false;
    bool forwards = false;     ///< takes the data of `awaited`; otherwise waits until the store is in the data cache
    Index awaited = no_store;  ///< store that the load depends on
    NamedRequest request;
  };

  inline Index allocate();
  void release(Index index);
  void wake_waiting();
  /// False if probe() would do nothing: the oldest access has no address yet, and the younger ones wait for it.
  [[nodiscard]] bool probe_due() {
    const Cycle first = entries_[to_probe_.front()].probe_at;
    const bool shows_walk = (machine_.recorder.get(State::table_walk) & walk_of_data) != 0;
    if (first <= agenda_.now() || !settings_.in_order_memory || shows_walk) return true;
    if (first != activity::never) agenda_.at(first);
    return false;
  }
  void probe();
  /// What the probes of one clock have used.
  struct Clock {
    unsigned ports;            ///< left
    Index stored = no_store;   ///< the store that has been probed
    Index loaded = no_store;   ///< the load that has been read
    bool loaded_half = false;  ///< its second half
    bool joins = false;        ///< that load joins the parts of an operand: no store shares the clock
  };
  inline bool probe_one(Index index, Clock& clock);
  [[nodiscard]] bool meets_load(Index load, bool second_half, const Clock& clock);
  [[nodiscard]] bool may_share(Index store, Index stored);
  inline Entry& enter(Sequence sequence, const trace::Access& access, std::size_t number);
  inline bool translate(Entry& e, std::uint64_t address);
  inline void find_store(Entry& e);
  void take_store_data();
  [[nodiscard]] bool depends(const Entry& load, const Entry& store) const;
  [[nodiscard]] bool may_forward(const Entry& load, const Entry& store) const;
  void count_store(const Entry& store, int change);
  inline void finish_probe(Index index);
  /// Completes a load at `ready` or when the cache has the data, whichever is later.
  void data_returns(Entry& e, Cycle ready);
  void leave_stores();

  Machine& machine_;
  const Settings& settings_ = machine_.settings;
  Agenda& agenda_ = machine_.agenda;
  InFlight& flight_;
  MemorySide& memory_;
  Window& window_;
  AthlonCore& core_;
  Translations tlb_;
  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::vector<Index> to_probe_;  ///< LS1, in program order
  std::vector<Index> waiting_;   ///< probed loads that wait for fills
  std::vector<Index> held_;      ///< probed loads that wait for an older store
  std::vector<Index> stores_;    ///< probed or not, in program order, until they are written
  /// The number of stores to a doubleword with these address bits 7 to 2. Most loads find none.
  std::array<std::uint16_t, 64> store_words_{};
  std::size_t occupied_ = 0;
  Cycle walk_until_ = 0;
  std::vector<bool> accessed_, dirty_;  ///< bits of the page tables, by page number
};

}  // namespace pmusim::core::athlon
