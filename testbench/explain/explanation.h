// Why the counters of a run are what they are: the way of each event to its counter, who caused what was counted, and
// what registers that differ in one field would have counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/session.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

/// A counter to be explained.
struct ExplainedCounter {
  std::string name;  ///< PerfCtr0
  std::string event;
  unsigned index = 0;
};

struct ExplainRequest {
  const models::Target* target = nullptr;
  models::Parameters parameters;
  SessionOptions options;
  unsigned threads = 1;                                               ///< hardware threads that run, each with its PMU
  std::function<SessionResult(Session&)> run;                         ///< on their traces, or on recorded activity
  std::function<std::vector<std::unique_ptr<trace::Reader>>()> open;  ///< their traces; may be empty
  std::vector<encoder::RegisterValue> registers;
  std::vector<ExplainedCounter> counters;
  bool neighbours = true;
};

/// What the registers count when one of their fields has another value.
struct Neighbour {
  std::string reg, field, bits;
  std::uint64_t from = 0, to = 0;
  std::string meaning;               ///< of the field with its other value
  std::optional<std::string> event;  ///< what the counter then counts; empty: it is off, or no event's name
  std::uint64_t counted = 0;
};

/// Who was charged, with the instruction as far as the trace has it.
struct Contributor {
  Culprit culprit;
  std::uint64_t amount = 0;
  std::string instruction;
};

struct Explanation {
  ExplainedCounter counter;
  unsigned thread = 0;
  std::uint64_t value = 0;    ///< what the counter holds at the end, with what has passed its width
  std::uint64_t pending = 0;  ///< of it still on the way to the counter; its register shows that already
  unsigned unit = 1;          ///< of the counter: 2 for half events
  CounterRecord record;
  std::vector<Contributor> contributors;                           ///< most first, then by address
  std::vector<std::pair<std::uint64_t, std::uint64_t>> addresses;  ///< of requests and their amounts, most first
  std::vector<Neighbour> neighbours;                               ///< that count something else
  std::uint64_t same_neighbours = 0;                               ///< how many count the same
};

struct ExplainResult {
  SessionResult session;
  std::vector<Explanation> explanations;  ///< of thread 0, then of thread 1
};

/// Fills in value, unit and pending of an explanation with its record, from what the counter holds at the end. Throws
/// std::logic_error if what was told does not add up to that.
void add_up(const models::Target& target, const models::Parameters& parameters, const MonitorResult& result,
            Explanation& explanation);
/// Throws std::invalid_argument where the counters count nothing that could be explained (ProfileMe).
void refuse_without_count(const models::Target& target, const MonitorResult& result);

/// Runs the trace. Throws std::invalid_argument where ProfileMe has the counters, and std::logic_error if what was told
/// does not add up to a counter, and passes on what Session::run() throws.
[[nodiscard]] ExplainResult explain(const ExplainRequest& request);

}  // namespace pmusim::testbench
