// The load queue and the store queue: the order of accesses to the same bytes, and the replays that it requires. Loads
// and stores execute out of order; stores write the Dcache in order after their retirement.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/alpha/memory_side.h"
#include "models/core/alpha/out_of_order/front_end.h"
#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/settings.h"
#include "models/core/alpha/pal.h"
#include "models/core/parts/program.h"

namespace pmusim::core::alpha::out_of_order {

class LoadStore {
 public:
  LoadStore(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, MemorySide& memory,
            Translation& translation, Program& program, const FrontEnd& front, OutOfOrderCore& core);

  /// At map: allocates a queue entry, in program order. There may be more instructions in flight than entries.
  void map(Sequence sequence);
  /// False while a load must wait for older stores, or a conditional store until it is the oldest instruction.
  [[nodiscard]] bool may_issue(Sequence sequence) const;
  /// A load or store issues in this cycle.
  void issue(Sequence sequence);
  /// At the start of a cycle, after that of the memory side: takes the data that has arrived.
  void take_returned() {
    if (!memory_.returned().empty()) take_data();
  }
  /// Loads that found no free miss entry try again; retired stores request their blocks and write.
  void step();
  void retire(Sequence sequence) {
    const Operation& operation = flight_.at(sequence);
    if (operation.load_number != unnumbered) ++loads_.begin;
    if (operation.store_number != unnumbered) ++retired_stores_;
  }
  void kill(Sequence from);
  /// All retired stores have written.
  [[nodiscard]] bool drained() const { return retired_stores_ == 0; }

 private:
  struct Load {
    Sequence sequence = 0;
    std::uint64_t address = 0;
    unsigned size = 0;  ///< 0: not known, or no access
    bool done = false;  ///< has searched the store queue
  };
  enum class Block : std::uint8_t { wanted, coming, there };
  struct Store {
    Sequence sequence = 0;
    std::uint64_t address = 0;
    unsigned size = 0;
    bool done = false;  ///< its address is known
    Block block = Block::wanted;
    std::uint64_t tag = 0;
    Forced forced;
    NamedRequest request;
  };
  struct Outstanding {  ///< a load that missed
    std::uint64_t tag;
    Sequence sequence;
    std::uint64_t address;
  };
  struct Retry {
    Sequence sequence;
    NamedRequest request;
    Forced forced;
  };
  struct Owed {  ///< a DTB miss that was killed before its trap
    std::uint64_t line;
    bool table_miss;
  };
  /// A queue whose entries are numbered in program order.
  template <class Entry>
  struct Ring {
    std::vector<Entry> entries{InFlight::capacity * 2};
    std::uint64_t begin = 0, end = 0;
    Entry& at(std::uint64_t number) { return entries[number & (entries.size() - 1)]; }
    const Entry& at(std::uint64_t number) const { return entries[number & (entries.size() - 1)]; }
  };

  void take_data();
  inline void issue_load(Sequence sequence);
  inline void issue_store(Sequence sequence);
  [[nodiscard]] inline bool access_traps(Operation& operation, NamedRequest& request, const trace::Annotations* notes);
  void replay_younger_load(std::uint64_t from_number, std::uint64_t address, unsigned size, act::Replay why);
  inline void probe(Sequence sequence, NamedRequest& request, Forced forced);
  void data_there(Sequence sequence, Cycle usable);
  [[nodiscard]] bool waits_for_stores(std::uint64_t pc) const {
    const std::uint64_t period = agenda_.now() / pipeline_.store_wait_period + 1;
    return store_waits_[pc / 4 & (store_waits_.size() - 1)] == period;
  }

  Machine& machine_;
  const Settings& settings_ = machine_.settings;
  const OutOfOrderSettings& pipeline_;
  Agenda& agenda_ = machine_.agenda;
  InFlight& flight_;
  MemorySide& memory_;
  Translation& translation_;
  Program& program_;
  const FrontEnd& front_;
  OutOfOrderCore& core_;
  Ring<Load> loads_;
  Ring<Store> stores_;
  std::uint64_t retired_stores_ = 0;  ///< number of retired stores, the oldest of stores_
  std::vector<Outstanding> outstanding_;
  std::vector<Retry> retries_;
  std::vector<Owed> owed_;
  std::uint64_t next_tag_ = 0;
  std::vector<std::uint64_t> store_waits_;  ///< per load address: period in which it was set, plus 1
};

}  // namespace pmusim::core::alpha::out_of_order
