// Explains the counts of a run: the steps from each event to its counter, the instructions that caused the counted
// occurrences, and the counts of registers that differ in one field.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  unsigned threads = 1;                                               ///< hardware threads that run, each with a PMU
  std::function<SessionResult(Session&)> run;                         ///< inputs: traces, or recorded activity
  std::function<std::vector<std::unique_ptr<trace::Reader>>()> open;  ///< their traces; may be empty
  std::vector<encoder::RegisterValue> registers;
  std::vector<ExplainedCounter> counters;
  bool neighbours = true;
};

/// The count with another value in one field of the registers.
struct Neighbour {
  std::string reg, field, bits;
  std::uint64_t from = 0, to = 0;
  std::string meaning;  ///< of the field with its other value
  std::optional<std::string>
      event;  ///< the event that the counter then counts; empty if it is off, or if the selection has no name
  std::uint64_t counted = 0;
};

/// A culprit, with its instruction if the trace contains it.
struct Contributor {
  Culprit culprit;
  std::uint64_t amount = 0;
  std::string instruction;
};

struct Explanation {
  ExplainedCounter counter;
  unsigned thread = 0;
  std::uint64_t value = 0;    ///< the final count, including wraps
  std::uint64_t pending = 0;  ///< part of it that the counter has not added yet; its register already includes it
  unsigned unit = 1;          ///< of the counter: 2 for half events
  CounterRecord record;
  std::vector<Contributor> contributors;  ///< largest amount first, then by address
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      addresses;                      ///< addresses of requests and their amounts, largest first
  std::vector<Neighbour> neighbours;  ///< neighbours with another count
  std::uint64_t same_neighbours = 0;  ///< number of neighbours with the same count
};

struct ExplainResult {
  SessionResult session;
  std::vector<Explanation> explanations;  ///< of thread 0, then of thread 1
};

/// Fills in value, unit and pending of an explanation with its record, from the final contents of the counter. Throws
/// std::logic_error if the recorded amounts do not add up to the count.
void add_up(const models::Target& target, const MonitorResult& result, Explanation& explanation);
/// Throws std::invalid_argument if the counters count nothing that can be explained (ProfileMe).
void refuse_without_count(const models::Target& target, const MonitorResult& result);

/// Runs the trace. Throws std::invalid_argument if ProfileMe uses the counters, and std::logic_error if the recorded
/// amounts do not add up to a count. Rethrows exceptions of Session::run().
[[nodiscard]] ExplainResult explain(const ExplainRequest& request);

struct BitRange {
  unsigned shift, bits;
};
/// Parses the bits of a field: "22", "15:8", or "19:25" where bit 0 is the most significant.
[[nodiscard]] std::optional<BitRange> bits_in(const std::string& text, bool bit_0_is_topmost, unsigned width);

/// Register values that differ from the given ones in one field.
struct NeighbourRegisters {
  encoder::DecodedField from;  ///< the present value of the field
  encoder::DecodedField to;    ///< the changed value
  std::string reg;
  std::vector<encoder::RegisterValue> registers;
  std::size_t monitor = 0;  ///< number of the PMU that has them, of thread 0, in the session of explain()
};

/// For a field of up to 4 bits every other value; for up to 8 bits each value with one bit changed. Wider, reserved and
/// fixed fields are not changed.
[[nodiscard]] std::vector<NeighbourRegisters> neighbours_of(std::string_view target, bool bit_0_is_topmost,
                                                            const std::vector<encoder::RegisterValue>& registers);

}  // namespace pmusim::testbench
