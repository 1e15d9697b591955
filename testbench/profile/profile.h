// Where the events of a program occur: exact counts, charged to instructions, and samples for comparison.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbench/driver/call_stack.h"
#include "testbench/explain/explanation.h"
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

/// The location of an address.
struct Location {
  std::string function;  ///< the address in hexadecimal if there is no name
  std::string file;      ///< source file; empty if not known
  unsigned line = 0;
};

/// An event that is counted by its own PMU, so that one run can have any number of events.
struct ProfileRequestEvent {
  ExplainedCounter counter;
  std::vector<RegisterWrite> writes;
  std::string stall = {};  ///< title of a column of stalls; empty for a requested event
};
struct ProfileRequest {
  const models::Target* target = nullptr;
  models::Parameters parameters;
  SessionOptions options;
  unsigned threads = 1;
  std::vector<ProfileRequestEvent> events;     ///< stalls last
  bool calls = false;                          ///< also the costs of calls
  std::function<void(Session&)> add_samplers;  ///< additional PMUs of the run; may be empty
  std::function<SessionResult(Session&)> run;
};

struct EventAmounts {
  std::uint64_t exact = 0;
  std::uint64_t samples = 0;
  std::uint64_t estimated = 0;  ///< number of events that the samples represent
};

/// An instruction, or the sum over a line or a function.
struct ProfileRow {
  unsigned thread = 0;
  bool instruction = true;  ///< false: requests that no instruction made, and cycles after the last retirement
  std::uint64_t ip = 0;
  unsigned slot = 0;
  std::uint64_t cycles = 0;        ///< cycles of the run, each charged to the instruction for which the program waits
  std::uint64_t instructions = 0;  ///< retired
  std::vector<EventAmounts> events;
  Location location;
  std::string text;  ///< disassembled
};

struct ProfiledEvent {
  ExplainedCounter counter;
  unsigned unit = 1;          ///< of exact amounts: 2 for half events
  std::uint64_t counted = 0;  ///< amount added to the counter; the sum over all rows
  std::uint64_t period = 0;   ///< events between two samples; 0: not sampled
  std::uint64_t samples = 0;
  std::uint64_t estimated = 0;
  std::string stall = {};
};

struct StackFrame {
  std::uint64_t address = 0;
  Location location;
};
/// One sample, with the active calls, outermost first. The last frame is the location of the sample.
struct ProfileSample {
  std::size_t event = 0;
  unsigned thread = 0;
  activity::Cycle cycle = 0;
  std::uint64_t period = 0;
  std::vector<StackFrame> stack;
};

struct Profile {
  SessionResult session;
  std::vector<ProfiledEvent> events;
  std::vector<ProfileRow> rows;  ///< by thread and address
  std::vector<ProfileSample> samples;
  std::vector<std::vector<Call>> calls;  ///< by hardware thread, on request

  [[nodiscard]] std::size_t asked() const;  ///< number of events before the stall events
};

/// True if events were sampled, whether or not a sample was taken.
[[nodiscard]] inline bool sampled(const Profile& profile) {
  return std::ranges::any_of(profile.events, [](const ProfiledEvent& event) { return event.period != 0; });
}

/// Runs once. Throws the exceptions of explain().
[[nodiscard]] Profile profile(const ProfileRequest& request);
/// Counts a sample at its location.
void add_sample(Profile& profile, ProfileSample sample);
/// Fills in the location of each row.
void add_locations(Profile& profile, const std::function<Location(unsigned thread, std::uint64_t address)>& location);

enum class Grouping : std::uint8_t { function, line, instruction };
/// Sums the rows of the same function, line or instruction. Sorted by the first event, or by cycles without events.
[[nodiscard]] std::vector<ProfileRow> grouped_rows(const Profile& profile, Grouping grouping);

}  // namespace pmusim::testbench
