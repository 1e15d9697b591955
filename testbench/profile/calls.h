// The inclusive costs of calls: what was counted while a call was open.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "testbench/driver/call_stack.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

/// All calls from one place to one function.
struct Call {
  std::uint64_t site = 0;    ///< the address to which the calls return
  std::uint64_t callee = 0;  ///< entry address of the called function
  std::uint64_t count = 0;
  std::uint64_t cycles = 0, instructions = 0;  ///< retired
  std::vector<std::uint64_t> events;           ///< in the unit of the counters
};

/// Adds up the costs of a hardware thread's calls. A call is open from the cycle after its instruction retires to the
/// one in which the return retires. A call of a function that is already open has no cost of its own, so that the
/// costs of a recursion count once.
class CallCosts {
 public:
  CallCosts(unsigned thread, std::size_t events);
  CallCosts(const CallCosts&) = delete;
  CallCosts& operator=(const CallCosts&) = delete;
  /// Before the PMUs see the block; all of the block before must have been added.
  void consume(const activity::Block& block);
  /// What an event's counter has added. In order of time for each event.
  void add(std::size_t event, const pmu::Run& run) { events_.at(event).runs.push_back(run); }
  /// At the end: closes the calls that are open, and returns all.
  [[nodiscard]] std::vector<Call> finish();

 private:
  /// Sums up to a cycle.
  struct Sums {
    std::uint64_t cycles = 0, instructions = 0;
    std::vector<std::uint64_t> events;
  };
  struct Event {
    std::vector<pmu::Run> runs;
    std::size_t next = 0;  ///< the first run that is not in the sum as a whole
  };
  struct Open {
    std::pair<std::uint64_t, std::uint64_t> key;  ///< site and callee
    Sums before;
    bool again;  ///< the function was open before
  };
  void change(activity::Cycle at, std::size_t depth, std::uint64_t entry);
  void sum_up_to(activity::Cycle end);
  void close(std::size_t depth);

  unsigned thread_;
  CallStack stack_;
  Sums sums_;
  activity::Cycle summed_ = 0, end_ = 0;
  bool begun_ = false;
  std::vector<Event> events_;
  std::vector<std::pair<activity::Cycle, std::uint64_t>> retired_;  ///< instructions of a cycle
  std::size_t next_retired_ = 0;
  std::vector<Open> open_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Call> calls_;
};

}  // namespace pmusim::testbench
