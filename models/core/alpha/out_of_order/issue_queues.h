// The integer and the floating-point issue queue: which operations wait for operands, and what issues to which pipe.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/sizes.h"

namespace pmusim::core::alpha::out_of_order {

class IssueListener {
 public:
  virtual ~IssueListener() = default;
  /// False while the operation may not issue though its operands are there.
  [[nodiscard]] virtual bool may_issue(Sequence sequence) = 0;
  /// It issues in this cycle; its result has its time, unless it comes from memory.
  virtual void issued(Sequence sequence) = 0;
};

class IssueQueues {
 public:
  IssueQueues(Machine& machine, const Sizes& sizes, InFlight& flight, IssueListener& listener);

  [[nodiscard]] bool has_room(unsigned integer, unsigned fp) const {
    return integer_.size() + integer <= sizes_.integer_queue && fp_.size() + fp <= sizes_.fp_queue;
  }
  /// An operation with renamed operands comes in; it may issue from the next cycle on.
  void insert(Sequence sequence);
  /// Oldest first, each to a pipe that it can use and that is free.
  void issue();
  void kill(Sequence from);

 private:
  struct Waiting {
    Sequence sequence;
    Cycle wake;                     ///< not before, as far as is known
    Sequence producer = unblocked;  ///< the only one that it waits for
  };
  static constexpr Sequence unblocked = ~Sequence{0};
  inline void issue_integer();
  inline void issue_fp();
  void start(Sequence sequence, std::uint8_t cluster);
  inline bool try_integer(Waiting& waiting, std::uint8_t& free);
  [[nodiscard]] bool is_blocked(const Waiting& waiting) {
    return waiting.producer != unblocked && waiting.producer >= flight_.retired &&
           flight_.at(waiting.producer).result == activity::never;
  }
  [[nodiscard]] bool operands_known(Waiting& waiting, Operation& operation) {
    if (operation.pending_count == 0) return true;
    learn_operands(operation);
    // What it has learnt stays known even if the result is taken back later.
    waiting.producer = operation.pending_count == 1 ? operation.pending[0] : unblocked;
    return operation.pending_count == 0;
  }
  void learn_operands(Operation& operation);

  Machine& machine_;
  const Sizes& sizes_;
  Agenda& agenda_;
  InFlight& flight_;
  IssueListener& listener_;
  std::vector<Waiting> integer_, fp_;  ///< in program order
  std::array<Cycle, 3> fp_free_{};     ///< adder, multiplier, divider: next cycle that takes an operation
  struct Taken {
    Cycle at = activity::never;
    std::uint8_t pipes = 0;
  };
  [[nodiscard]] inline Taken& lower_in(Cycle cycle);
  std::array<Taken, 4> lower_taken_{};  ///< lower pipes that FP stores take, by cycle
};

}  // namespace pmusim::core::alpha::out_of_order
