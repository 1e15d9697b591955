// The map stage: allocates retire slots, issue queue entries and registers for one fetch group per cycle, for the whole
// group or not at all. Counts the physical registers that operations in flight hold: each result takes one of the free
// ones at map. When it retires, it becomes the register's value, and the register of the value before is free.
#pragma once

#include <array>

#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/issue_queues.h"
#include "models/core/alpha/out_of_order/load_store.h"
#include "models/core/alpha/out_of_order/settings.h"
#include "models/core/alpha/out_of_order/slotting.h"
#include "models/core/alpha/stimulus.h"

namespace pmusim::core::alpha::out_of_order {

class MapStage {
 public:
  MapStage(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, IssueQueues& queues,
           LoadStore& load_store, const Stimulus& stimulus, const FrontEnd& front)
      : machine_(machine),
        pipeline_(pipeline),
        flight_(flight),
        queues_(queues),
        load_store_(load_store),
        stimulus_(stimulus),
        front_(front) {}

  void step();
  /// The operation retires: the registers of the values before its results are free.
  void retire(const Operation& operation) {
    integer_held_ -= operation.integer_results;
    fp_held_ -= operation.fp_results;
  }
  /// Releases the registers of the operations from `from` on, which are still in flight.
  void kill(Sequence from);

 private:
  struct Group {
    Sequence begin = 0, end = 0;
    unsigned integer = 0, fp = 0;                  ///< operations by issue queue
    unsigned integer_results = 0, fp_results = 0;  ///< physical registers
    unsigned waits = 0;                            ///< operations that wait for a pipe, one bit each, from `begin` on
    unsigned undecided = 0;                        ///< integer operations of these that fit on either side
    Classes classes;                               ///< of the other integer operations of these
    bool may_trap = false;  ///< has operations for which find_traps() may answer differently later
  };
  [[nodiscard]] inline Group survey();
  [[nodiscard]] inline bool has_room(const Group& group);
  [[nodiscard]] static inline bool waits_for_pipe(const Operation& operation);
  static inline void count_results(Operation& operation);
  inline void choose_sides(const Group& group);
  inline void map(Sequence sequence, bool waits);
  inline void rename(Sequence sequence, Operation& operation);
  inline void find_traps(Operation& operation);

  Machine& machine_;
  const OutOfOrderSettings& pipeline_;
  InFlight& flight_;
  IssueQueues& queues_;
  LoadStore& load_store_;
  const Stimulus& stimulus_;
  const FrontEnd& front_;
  std::array<Sequence, trace::alpha::register_count> writers_{};  ///< youngest producer, plus 1; 0: none in flight
  Group group_;                              ///< the last one surveyed: it may have to wait for room; empty: none
  unsigned integer_held_ = 0, fp_held_ = 0;  ///< physical registers of results that have not retired
};

}  // namespace pmusim::core::alpha::out_of_order
