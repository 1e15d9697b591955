// Hand-made activity, and a monitor that consumes it as one block and in slices of one cycle: both must end in the same
// state. Used by the suites of the monitors.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::testing {

using activity::Block;
using activity::Cycle;
using activity::Signal;
using activity::State;
using pmu::Accessor;
using pmu::Monitor;
using pmu::RegisterId;

/// Parameters with values other than the default.
using Flips = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// A monitor with parameters set to other values.
inline std::unique_ptr<Monitor> make_with(models::Parameters parameters,
                                          std::unique_ptr<Monitor> (*make)(const models::Parameters&), Flips flips) {
  for (const auto& [name, value] : flips) parameters.set(name, value);
  return make(parameters);
}

/// A block of `cycles` cycles from cycle 0: the core clock runs, 4 core clocks per bus clock, most privileged level.
class HandMade {
 public:
  explicit HandMade(Cycle cycles) {
    block_.end = cycles;
    state(State::clock, 1).state(State::bus_ratio, 4u << 16 | 1u);
  }
  HandMade& state(State s, std::uint64_t value) {
    column(s).initial = value;
    return *this;
  }
  /// Sets a state from cycle `at` on. Changes of one state must be made in order.
  HandMade& change(State s, Cycle at, std::uint64_t value) {
    column(s).changes.push_back({static_cast<std::uint32_t>(at), value});
    return *this;
  }
  HandMade& occur(Signal s, Cycle at, std::uint16_t detail = 0, std::uint32_t ref = activity::no_ref,
                  unsigned amount = 1) {
    auto& column = block_.columns[static_cast<std::size_t>(s)];
    const auto place = std::upper_bound(column.begin(), column.end(), at,
                                        [](Cycle c, const activity::Occurrence& o) { return c < o.at; });
    column.insert(place, {static_cast<std::uint32_t>(at), ref, static_cast<std::uint16_t>(amount), detail});
    return *this;
  }
  std::uint32_t add(const activity::InstructionRecord& record) {
    block_.instructions.push_back(record);
    return static_cast<std::uint32_t>(block_.instructions.size() - 1);
  }
  std::uint32_t add(const activity::RequestRecord& record) {
    block_.requests.push_back(record);
    return static_cast<std::uint32_t>(block_.requests.size() - 1);
  }
  /// Adds the retirement of an instruction at `ip` in cycle `at`.
  HandMade& retire(Cycle at, std::uint64_t ip = 0) {
    activity::InstructionRecord record;
    record.ip = ip;
    return occur(Signal::retire, at, 0, add(record));
  }
  [[nodiscard]] const Block& block() const { return block_; }

 protected:
  [[nodiscard]] Block& mutable_block() { return block_; }

 private:
  activity::StateColumn& column(State s) { return block_.states[static_cast<std::size_t>(s)]; }
  Block block_;
};

/// All externally visible state of a monitor, and its reports during the run.
struct Observed {
  std::vector<std::pair<std::string, std::uint64_t>> registers;
  std::vector<Cycle> requests;
  std::vector<pmu::PinEdge> edges;
  bool pending = false;
  friend bool operator==(const Observed&, const Observed&) = default;
};

/// An action between two cycles: called with the first cycle not yet consumed.
using Between = std::function<void(Monitor&, Cycle)>;

/// Consumes the block in slices of at most `slice` cycles. With `take`, every interrupt request is taken at once.
inline Observed consume_in(Monitor& monitor, const Block& block, Cycle slice, bool take) {
  Observed seen;
  for (Cycle at = block.begin; at < block.end;) {
    const pmu::Consumed done = monitor.consume(block, at, std::min(at + slice, block.end));
    if (done.interrupt_request) {
      seen.requests.push_back(done.reached - 1);
      if (take) monitor.interrupt_taken();
    }
    at = done.reached;
  }
  for (const pmu::RegisterInfo& info : monitor.registers()) {
    seen.registers.emplace_back(info.name, monitor.read(info.id, Accessor{}).value);
  }
  seen.edges = monitor.take_pin_edges();
  seen.pending = monitor.interrupt_pending();
  return seen;
}

/// Consumes the block as a whole, in single cycles and in slices of seven cycles; expects equal results and returns
/// them. `monitor` is the one that consumed the whole block.
inline Observed consume_both(Monitor& monitor, const Block& block, bool take = false) {
  const std::unique_ptr<Monitor> by_one = monitor.clone();
  const std::unique_ptr<Monitor> by_seven = monitor.clone();
  const Observed whole = consume_in(monitor, block, block.end, take);
  for (const auto& [other, slice] : {std::pair{by_one.get(), Cycle{1}}, std::pair{by_seven.get(), Cycle{7}}}) {
    const Observed cut = consume_in(*other, block, slice, take);
    EXPECT_EQ(whole.requests, cut.requests) << "slices of " << slice;
    EXPECT_EQ(whole.registers, cut.registers) << "slices of " << slice;
    EXPECT_TRUE(whole.edges == cut.edges) << "pin edges, slices of " << slice;
    EXPECT_EQ(whole.pending, cut.pending) << "slices of " << slice;
  }
  return whole;
}

inline void put(Monitor& monitor, RegisterId id, std::uint64_t value) {
  EXPECT_EQ(monitor.write(id, value, Accessor{}).fault, pmu::Fault::none) << "register " << id.number;
}

inline std::uint64_t get(Monitor& monitor, RegisterId id) {
  const pmu::AccessResult result = monitor.read(id, Accessor{});
  EXPECT_EQ(result.fault, pmu::Fault::none) << "register " << id.number;
  return result.value;
}

}  // namespace pmusim::testing
