// Adds up the reports of a PMU about its counters: the amounts left after each step, and the instruction to which each
// increment is charged. Names of the steps, and the inputs of events.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/pmu/probe.h"
#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench {

/// An instruction by its address (IA-64: and slot), or a request that no instruction made.
struct Culprit {
  std::uint64_t ip = 0;
  unsigned slot = 0;
  bool instruction = false;
  friend auto operator<=>(const Culprit&, const Culprit&) = default;
};

/// The record of one counter over the whole run.
struct CounterRecord {
  std::array<std::optional<std::uint64_t>, pmu::step_count> left;  ///< empty if the counter does not have this step
  std::set<activity::Signal> signals;
  std::set<activity::State> states;
  std::uint64_t base = 0;         ///< the last value that software wrote
  std::uint64_t since = 0;        ///< amount added since then: the counter holds the sum of both
  std::uint64_t overwritten = 0;  ///< amount added before
  // Parts of the amount added:
  std::map<Culprit, std::uint64_t> by_culprit;
  std::map<std::uint64_t, std::uint64_t> by_address;  ///< of requests
  std::uint64_t unnamed = 0;                          ///< states, clocks, and occurrences without an instruction

  [[nodiscard]] std::uint64_t left_after(pmu::Step step) const {
    return left[static_cast<std::size_t>(step)].value_or(0);
  }
};

/// Records all counters of a PMU. A cycle that adds less than the number of its occurrences, as with a threshold, is
/// charged to the first of them. An amount that a counter adds in a later cycle is charged to its occurrence.
class Recorder : public pmu::Probe {
 public:
  explicit Recorder(unsigned counters) : counters_(counters) {}
  void looks_at(unsigned counter, activity::Signal signal, activity::State state) override;
  void left(unsigned counter, pmu::Step step, const pmu::Run& run) override;
  void named(unsigned counter, const pmu::Block& block, activity::Signal signal, const pmu::Occurrence& occurrence,
             std::uint32_t amount) override;
  void written(unsigned counter, std::uint64_t value) override;

  [[nodiscard]] const CounterRecord& counter(unsigned i) const { return counters_.at(i).record; }

 protected:
  /// Reports that `n` was added in each cycle of [from, to) without being charged to an instruction. Cycles must not
  /// decrease.
  virtual void unnamed(unsigned /*counter*/, pmu::Cycle /*from*/, pmu::Cycle /*to*/, std::uint64_t /*n*/) {}

 private:
  struct Pending {
    pmu::Cycle at;
    Culprit culprit;
    std::optional<std::uint64_t> address;
    std::uint32_t amount;
  };
  struct Counter {
    CounterRecord record;
    std::vector<Pending> pending;  ///< reported, and neither charged nor dropped
    std::size_t first = 0;         ///< index of the first entry of `pending` that is left
    bool sorted = true;
  };
  void charge(unsigned counter, const pmu::Run& run);
  std::vector<Counter> counters_;
};

/// The steps of an event on its way to a counter: their names and their meanings.
[[nodiscard]] std::string_view name_of(pmu::Step step);
[[nodiscard]] std::string_view meaning_of(pmu::Step step);

/// Signals and states that are inputs of one counter's event, as the model of its PMU defines them.
struct EventInputs {
  std::set<activity::Signal> signals;
  std::set<activity::State> states;
};
/// The inputs of the counter with this index, with the PMU programmed as given. Throws std::invalid_argument for
/// registers that cannot be written.
[[nodiscard]] EventInputs inputs_of(const models::Target& target, const std::vector<encoder::RegisterValue>& registers,
                                    unsigned counter);

/// Fills in the text of each culprit whose instruction is in the trace.
void add_code_text(trace::Reader& trace, std::map<Culprit, std::string>& wanted);

}  // namespace pmusim::testbench
