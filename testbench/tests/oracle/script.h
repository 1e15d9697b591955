// Hand-made activity: a few cycles with the given occurrences and states.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::oracle::script {

using activity::Block;
using activity::Cycle;
using activity::InstructionRecord;
using activity::RequestRecord;
using activity::Signal;
using activity::State;

/// A block of `length` cycles in which the clock runs, interrupts are enabled, and nothing occurs.
class Script {
 public:
  explicit Script(Cycle length, Cycle begin = 0) {
    block.begin = begin;
    block.end = begin + length;
    column(State::clock).initial = 1;
    column(State::interrupt_flag).initial = 1;
  }
  /// Sets a state from cycle `at` on.
  void state(State s, Cycle at, std::uint64_t value) {
    const auto offset = static_cast<std::uint32_t>(at - block.begin);
    if (offset == 0) {
      column(s).initial = value;
    } else {
      column(s).changes.push_back({offset, value});
    }
  }
  void happen(Signal s, Cycle at, std::uint16_t detail = 0, std::uint16_t amount = 1,
              std::uint32_t ref = activity::no_ref) {
    block.columns[static_cast<std::size_t>(s)].push_back(
        {static_cast<std::uint32_t>(at - block.begin), ref, amount, detail});
  }
  void happen(Signal s, Cycle at, const InstructionRecord& record, std::uint16_t detail = 0) {
    block.instructions.push_back(record);
    happen(s, at, detail, 1, static_cast<std::uint32_t>(block.instructions.size() - 1));
  }
  void happen(Signal s, Cycle at, const RequestRecord& record, std::uint16_t detail = 0) {
    block.requests.push_back(record);
    happen(s, at, detail, 1, static_cast<std::uint32_t>(block.requests.size() - 1));
  }
  Block block;

 private:
  activity::StateColumn& column(State s) { return block.states[static_cast<std::size_t>(s)]; }
};

/// An action that adds occurrences or states in one cycle of a script.
using Put = std::function<void(Script&, Cycle)>;

inline Put nothing() {
  return [](Script&, Cycle) {};
}
inline Put signal(Signal s, unsigned detail = 0, std::uint16_t amount = 1) {
  return [=](Script& script, Cycle at) { script.happen(s, at, static_cast<std::uint16_t>(detail), amount); };
}
template <class Record>
Put of(Signal s, Record record, unsigned detail = 0) {
  return [=](Script& script, Cycle at) { script.happen(s, at, record, static_cast<std::uint16_t>(detail)); };
}
/// The state has `value` in this cycle and `rest` from the next on.
inline Put level(State s, std::uint64_t value, std::uint64_t rest = 0) {
  return [=](Script& script, Cycle at) {
    script.state(s, at, value);
    script.state(s, at + 1, rest);
  };
}
inline Put all(std::vector<Put> puts) {
  return [puts = std::move(puts)](Script& script, Cycle at) {
    for (const Put& put : puts) put(script, at);
  };
}

inline InstructionRecord instruction(std::vector<activity::Trait> traits) {
  InstructionRecord record;
  for (const activity::Trait t : traits) record.traits |= activity::bit(t);
  return record;
}
inline InstructionRecord on_unit(activity::Unit unit) {
  InstructionRecord record;
  record.unit = unit;
  return record;
}

/// Parameter values that override the defaults.
class Values {
 public:
  Values() = default;
  Values(std::initializer_list<std::pair<std::string_view, std::int64_t>> values) : values_(values) {}
  std::int64_t operator()(std::string_view name) const {
    for (const auto& [n, v] : values_) {
      if (n == name) return v;
    }
    return default_of(name);
  }

 private:
  static std::int64_t default_of(std::string_view name) {
    const std::string_view yes[] = {"pmu.branches_with_traps", "pmu.far_with_traps", "pmu.instructions_with_traps"};
    for (const auto& y : yes) {
      if (y == name) return 1;
    }
    return 0;
  }
  std::vector<std::pair<std::string_view, std::int64_t>> values_;
};

inline Tally count(std::string_view target, const Request& request, const Block& block,
                   const ParameterLookup& parameters = Values()) {
  const auto counter = make_counter(target, {request}, parameters);
  counter->consume(block);
  return counter->tally(0);
}

/// One row of the event tables: a cause of the event, and a similar occurrence that must not count.
struct Row {
  std::string event;
  std::string umask;  ///< empty: none
  Put hit;
  Put near_miss;
  std::uint64_t expected = 1;
  std::function<void(Request&)> ask = nullptr;
};

inline Request request_of(const Row& row) {
  Request request;
  request.event = row.event;
  if (!row.umask.empty()) request.umasks = {row.umask};
  if (row.ask) row.ask(request);
  return request;
}
inline Tally count_put(std::string_view target, const Row& row, const Put& put,
                       const ParameterLookup& parameters = Values()) {
  Script script(10);
  put(script, 5);
  return count(target, request_of(row), script.block, parameters);
}

}  // namespace pmusim::oracle::script
