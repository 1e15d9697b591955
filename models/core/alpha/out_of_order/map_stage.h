// The map stage: allocates retire slots, issue queue entries and registers for one fetch group per cycle, for the whole
// group or not at all.
#pragma once

#include <array>

#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/issue_queues.h"
#include "models/core/alpha/out_of_order/load_store.h"
#include "models/core/alpha/out_of_order/pipes.h"
#include "models/core/alpha/out_of_order/settings.h"
#include "models/core/alpha/stimulus.h"
#include "models/core/parts/agenda.h"

namespace pmusim::core::alpha::out_of_order {

// The physical registers of one kind that hold results: each result in flight takes one at map. When it retires, it
// becomes a value of the architecture, and the register of the value before is free some cycles later.

class ResultRegisters {
 public:
  explicit ResultRegisters(unsigned registers) : registers_(registers) {}
  [[nodiscard]] bool free(unsigned least, Cycle now) { return held_ + releasing_.held(now) + least <= registers_; }
  /// True if some may be free later without a retirement.
  [[nodiscard]] bool releasing() const { return !releasing_.empty(); }
  void take(unsigned results) { held_ += results; }
  /// Results that retire; the registers are free from cycle `free_at` on.
  void retire(unsigned results, Cycle now, Cycle free_at) {
    if (results == 0) return;
    held_ -= results;
    releasing_.give_back(now, free_at, results);
  }
  void kill(unsigned results) { held_ -= results; }

 private:
  unsigned registers_;
  unsigned held_ = 0;  ///< by results that have not retired
  Releasing releasing_;
};

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
        front_(front),
        integer_(pipeline.integer_registers),
        fp_(pipeline.fp_registers) {}

  void step();
  /// The operation retires: the registers of the values before its results are given back.
  void retire(const Operation& operation) {
    const Cycle now = machine_.agenda.now(), free_at = now + pipeline_.register_release;
    integer_.retire(operation.integer_results, now, free_at);
    fp_.retire(operation.fp_results, now, free_at);
  }
  /// Releases the registers of the operations from `from` on, which are still in flight.
  void kill(Sequence from);

 private:
  struct Group {
    Sequence begin = 0, end = 0;
    unsigned integer = 0, fp = 0;  ///< operations by issue queue
    unsigned waits = 0;            ///< operations that wait for a pipe, one bit each, from `begin` on
    unsigned undecided = 0;        ///< integer operations of these that fit on either side
    Classes classes;               ///< of the other integer operations of these
    bool may_trap = false;         ///< has operations for which find_traps() may answer differently later
  };
  [[nodiscard]] inline Group survey();
  [[nodiscard]] inline bool has_registers();
  [[nodiscard]] bool has_room(const Group& group) {
    return flight_.at(flight_.mapped).group - flight_.at(flight_.retired).group < pipeline_.fetch_groups &&
           queues_.has_room(group.integer, group.fp);
  }
  [[nodiscard]] static bool waits_for_pipe(const Operation& operation) {
    return !operation.squashed && operation.trap == act::Trap::none;
  }
  static inline void count_results(Operation& operation);
  inline void choose_sides(const Group& group);
  [[gnu::always_inline]] inline void map(Sequence sequence, bool waits);
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
  Group group_;  ///< the last one surveyed: it may have to wait for room; empty: none
  ResultRegisters integer_, fp_;
  bool stalled_ = false;  ///< for lack of registers
  Cycle looked_at_ = 0;   ///< a cycle in which map found too few
};

}  // namespace pmusim::core::alpha::out_of_order
