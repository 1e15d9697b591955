// The integer and the floating-point issue queue: operations that wait for their operands, and their issue to the
// pipes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/settings.h"
#include "models/core/parts/agenda.h"

namespace pmusim::core::alpha::out_of_order {

class IssueQueues {
 public:
  IssueQueues(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, OutOfOrderCore& core);

  /// True if the queues have room for the operations of a group. If entries will be free later, the agenda has the next
  /// cycle.
  [[nodiscard]] bool has_room(unsigned integer, unsigned fp) {
    const auto fit = [&](unsigned integer_left, unsigned fp_left) {
      return integer_.size() + integer_left + integer <= pipeline_.integer_queue &&
             fp_.size() + fp_left + fp <= pipeline_.fp_queue;
    };
    if (fit(integer_left_.most_held(), fp_left_.most_held())) return true;
    const unsigned integer_left = integer_left_.held(agenda_.now()), fp_left = fp_left_.held(agenda_.now());
    if (fit(integer_left, fp_left)) return true;
    if (integer_left + fp_left != 0) agenda_.at(agenda_.now() + 1);
    return false;
  }
  /// Inserts an operation with renamed operands; it may issue from the next cycle on.
  void insert(Sequence sequence, const Operation& operation) {
    const bool fp = operation.rule->queue == Queue::fp;
    (fp ? fp_ : integer_).push_back({.sequence = sequence, .wake = agenda_.now() + 1});
  }
  /// Issues operations, oldest first, each to a free pipe that it can use.
  void issue();
  void kill(Sequence from);

 private:
  struct Waiting {
    Sequence sequence;
    Cycle wake;                     ///< earliest cycle of issue, as far as known
    Sequence producer = unblocked;  ///< the only producer that it waits for
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
  [[nodiscard]] inline bool operands_known(Waiting& waiting, Operation& operation);
  [[gnu::always_inline]] inline void learn_operands(Operation& operation);

  Machine& machine_;
  const OutOfOrderSettings& pipeline_;
  Agenda& agenda_;
  InFlight& flight_;
  OutOfOrderCore& core_;
  std::vector<Waiting> integer_, fp_;  ///< in program order
  Releasing integer_left_, fp_left_;   ///< entries of operations that have issued and are not free yet
  std::array<Cycle, 8> windows_{};     ///< cycles in which the first users of integer loads may issue
  std::array<Cycle, 3> fp_free_{};     ///< adder, multiplier, divider: next cycle in which an operation can start
  struct Taken {
    Cycle at = activity::never;
    std::uint8_t pipes = 0;
  };
  [[nodiscard]] inline Taken& lower_in(Cycle cycle);
  std::array<Taken, 4> lower_taken_{};  ///< lower pipes that FP stores use, by cycle
};

}  // namespace pmusim::core::alpha::out_of_order
