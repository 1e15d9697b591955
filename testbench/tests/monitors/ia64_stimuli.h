// Every row of an IA-64 processor's event list on the stimuli of the oracle's tests (../oracle), whose counts are
// written by hand: a monitor with the registers that the encoder gives for the row counts what names the row, and
// nothing else.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/tests/monitors/ia64_bench.h"
#include "testbench/tests/oracle/stimuli_itanium2.h"

namespace pmusim::testing {

/// The stimuli one after the other, each in cycles of its own.
class Stimuli {
 public:
  /// `always` is the row that counts in every cycle.
  Stimuli(const std::vector<oracle::script::Stimulus>& stimuli, const std::string& always) {
    for (const auto& stimulus : stimuli) {
      const Cycle begin = steps_.empty() ? 0 : steps_.back().end;
      const Cycle length = stimulus.length == 0 ? 10 : stimulus.length;
      steps_.push_back({stimulus.what, begin, begin + length, oracle::script::rows_of(stimulus.rows)});
      steps_.back().rows.try_emplace(always, length);
    }
    machine_.block.end = steps_.back().end;
    for (std::size_t i = 0; i < stimuli.size(); ++i) stimuli[i].act(machine_, steps_[i].begin + 5);
    const auto by_time = [](auto& entries) {
      std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    };
    for (auto& column : machine_.block.columns) by_time(column);
    for (auto& state : machine_.block.states) by_time(state.changes);
  }

  using Names = std::set<std::string>;
  using Make = std::function<std::unique_ptr<Monitor>()>;
  /// Counts every row of the target but those of `elsewhere`, each with a monitor of its own and these attributes.
  /// `times`: 0 for what a monitor must not count.
  void expect_counts(const std::string& target, const Names& elsewhere, const Make& make,
                     const std::string& attributes = ":plm=15", std::uint64_t times = 1) const {
    for (const oracle::EventName& event : oracle::events(target)) {
      const std::string row(event.name);
      if (row.ends_with("_EAR_EVENTS") || elsewhere.contains(row)) continue;  // each setup has a row of its own
      SCOPED_TRACE(row + attributes);
      expect_counts(target, row, *make(), attributes, times);
    }
  }

 private:
  void expect_counts(const std::string& target, const std::string& row, Monitor& monitor, const std::string& attributes,
                     std::uint64_t times) const {
    auto encoding = encoder::encode(target, std::vector{row + attributes}, {});
    if (!encoding && encoding.error().code == encoder::ErrorCode::missing_unit_mask)  // states of lines
      encoding = encoder::encode(target, std::vector{row + ":M:E:S:I" + attributes}, {});
    ASSERT_TRUE(encoding) << encoding.error().message;
    // Pair 3 watches reads of eight bytes.
    put(monitor, dbr(6), oracle::script::watched_address);
    put(monitor, dbr(7), at(63, 1) | at(56, 0xf) | 0x00ff'ffff'ffff'fff8);
    for (const encoder::RegisterValue& reg : encoding->registers)
      put(monitor, find_register(monitor, reg.name)->id, reg.value);
    const RegisterId counter = find_register(monitor, encoding->events[0].counter)->id;
    std::uint64_t before = 0;
    for (const Step& step : steps_) {
      monitor.consume(machine_.block, step.begin, step.end);
      const std::uint64_t after = get(monitor, counter);
      const auto named = step.rows.find(row);
      EXPECT_EQ(after - before, named == step.rows.end() ? 0 : named->second * times) << step.what;
      before = after;
    }
  }

  struct Step {
    std::string what;
    Cycle begin, end;
    std::map<std::string, std::uint64_t> rows;
  };
  oracle::script::Machine machine_;
  std::vector<Step> steps_;
};

}  // namespace pmusim::testing
