// What a PMU tells of its counters, added up: what each step has left, and whom each increment is charged to.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/pmu/probe.h"

namespace pmusim::testbench {

/// Who can be charged: an instruction by its address (IA-64: and slot), or a request that no instruction made.
struct Culprit {
  std::uint64_t ip = 0;
  unsigned slot = 0;
  bool instruction = false;
  friend auto operator<=>(const Culprit&, const Culprit&) = default;
};

/// One counter, over the whole run.
struct CounterRecord {
  std::array<std::optional<std::uint64_t>, pmu::step_count> left;  ///< empty: the counter has no such step
  std::set<activity::Signal> signals;
  std::set<activity::State> states;
  std::uint64_t base = 0;         ///< the value that software has given it last
  std::uint64_t since = 0;        ///< added since then: the counter holds the sum of both
  std::uint64_t overwritten = 0;  ///< added before
  // Of what was added:
  std::map<Culprit, std::uint64_t> by_culprit;
  std::map<std::uint64_t, std::uint64_t> by_address;  ///< of requests
  std::uint64_t unnamed = 0;                          ///< states, clocks, and occurrences that name no instruction

  [[nodiscard]] std::uint64_t left_after(pmu::Step step) const {
    return left[static_cast<std::size_t>(step)].value_or(0);
  }
};

/// A cycle that adds less than it has occurrences, as under a threshold, is charged to the first of them. What a
/// counter takes in later cycles is charged to the occurrence that it is part of.
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
  /// `n` in each cycle of [from, to) was added and charged to no instruction. In the order of the cycles.
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
    std::vector<Pending> pending;  ///< named, and neither charged nor dropped
    std::size_t first = 0;         ///< of `pending` that is left
    bool sorted = true;
  };
  void charge(unsigned counter, const pmu::Run& run);
  std::vector<Counter> counters_;
};

}  // namespace pmusim::testbench
