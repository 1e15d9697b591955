// Where a program's events are: exactly, each charged to its instruction, and beside it as samples tell it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/explain/explanation.h"

namespace pmusim::testbench {

/// What is at an address.
struct Location {
  std::string function;  ///< 0x and digits where there is no name
  std::string file;      ///< of the source; empty: not known
  unsigned line = 0;
};

/// An event with a PMU of its own, so that any number of them fits into one run.
struct ProfileRequestEvent {
  ExplainedCounter counter;
  std::vector<RegisterWrite> writes;
  std::string stall = {};  ///< title of a column of stalls; empty: an event that was asked for
};
struct ProfileRequest {
  const models::Target* target = nullptr;
  models::Parameters parameters;
  SessionOptions options;
  unsigned threads = 1;
  std::vector<ProfileRequestEvent> events;     ///< stalls last
  std::function<void(Session&)> add_samplers;  ///< more PMUs for the same run; may be empty
  std::function<SessionResult(Session&)> run;
};

struct EventAmounts {
  std::uint64_t exact = 0;
  std::uint64_t samples = 0;
  std::uint64_t estimated = 0;  ///< events that the samples stand for
};

/// An instruction, or all of a line or a function.
struct ProfileRow {
  unsigned thread = 0;
  bool instruction = true;  ///< false: requests that no instruction made, and cycles after the last retirement
  std::uint64_t ip = 0;
  unsigned slot = 0;
  std::uint64_t cycles = 0;        ///< of the run, each charged to whom the program waits for
  std::uint64_t instructions = 0;  ///< retired
  std::vector<EventAmounts> events;
  Location location;
  std::string text;  ///< disassembled
};

struct ProfiledEvent {
  ExplainedCounter counter;
  unsigned unit = 1;          ///< of exact amounts: 2 for half events
  std::uint64_t counted = 0;  ///< added to the counter, which is the sum of all rows
  std::uint64_t period = 0;   ///< events between two samples; 0: not sampled
  std::uint64_t samples = 0;
  std::uint64_t estimated = 0;
  std::string stall = {};
};

struct StackFrame {
  std::uint64_t address = 0;
  Location location;
};
/// One sample, with the calls that were active, outermost first; the last frame is where it fell.
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

  [[nodiscard]] std::size_t asked() const;  ///< events before those of the stalls
};

/// Runs once. Throws what explain() throws.
[[nodiscard]] Profile profile(const ProfileRequest& request);
/// Counts a sample where it fell.
void add_sample(Profile& profile, ProfileSample sample);
/// Fills in the location of each row.
void add_locations(Profile& profile, const std::function<Location(unsigned thread, std::uint64_t address)>& location);

enum class Grouping : std::uint8_t { function, line, instruction };
/// The sums of rows that are the same function, line or instruction, most of the first event first, or most cycles.
[[nodiscard]] std::vector<ProfileRow> grouped_rows(const Profile& profile, Grouping grouping);

}  // namespace pmusim::testbench
