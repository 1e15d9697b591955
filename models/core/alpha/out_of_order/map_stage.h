// The map stage: allocates retire slots, issue queue entries and registers for one fetch group per cycle, for the whole
// group or not at all.
#pragma once

#include <array>

#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/issue_queues.h"
#include "models/core/alpha/out_of_order/load_store.h"
#include "models/core/alpha/out_of_order/settings.h"
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
  /// Releases the registers of the operations from `from` on, which are still in flight.
  void kill(Sequence from);

 private:
  struct Group {
    Sequence end = 0;
    unsigned integer = 0, fp = 0;                  ///< operations by issue queue
    unsigned upper = 0, lower = 0, undecided = 0;  ///< integer operations by side
  };
  [[nodiscard]] inline Group survey();
  [[nodiscard]] inline bool has_room(const Group& group) const;
  [[nodiscard]] static inline bool waits_for_pipe(const Operation& operation);
  inline void choose_sides(Group group);
  void map(Sequence sequence);
  inline void rename(Sequence sequence);
  inline void find_traps(Operation& operation);

  Machine& machine_;
  const OutOfOrderSettings& pipeline_;
  InFlight& flight_;
  IssueQueues& queues_;
  LoadStore& load_store_;
  const Stimulus& stimulus_;
  const FrontEnd& front_;
  std::array<Sequence, trace::alpha::register_count> writers_{};  ///< youngest producer, plus 1; 0: none in flight
};

}  // namespace pmusim::core::alpha::out_of_order
