// Compares what a run of an answer showed with what the oracle expects of it: counts, status, captures, interrupts,
// pins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/trial/bench.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/judge/trial/examined.h"
#include "testbench/judge/trial/needs.h"

namespace pmusim::testbench::questions {

/// All events of a run overflow.
inline constexpr std::size_t every_event = ~std::size_t{0};

/// A counter that differs from the oracle's count at the end of a block.
struct WrongCount {
  std::size_t block = 0;
  std::uint64_t counted = 0, due = 0;
};
/// Compares a counter at the end of each block from `first` up to `end`; returns the first difference. `start`: the
/// counter's start value; `expected`: the oracle's count by block, empty if the counter must hold.
[[nodiscard]] std::optional<WrongCount> wrong_count(const Bench& bench, const Seen& seen, std::size_t counter,
                                                    std::uint64_t start, Counts::ByBlock expected, std::size_t first,
                                                    std::size_t end);

/// What a counter, a pin or a register showed on a trace.
struct Reading {
  std::string trace = {};
  std::string counter = {};
  std::uint64_t counted = 0, expected = 0;
};

/// A run of an answer to a question.
struct ObservedRun {
  const Examined& candidate;
  const Seen& seen;
  const std::vector<std::uint64_t>& starts;      ///< by counter
  const std::vector<Counts::ByBlock>& expected;  ///< by counter; empty: it must hold its start value
  const Stimulus& stimulus;
  Cycle request = activity::never;  ///< the cycle in which the interrupt is due
};

class Comparisons {
 public:
  /// Gets each difference: the event of the question, what was read, and the problem in words (may be empty).
  using Report = std::function<void(std::size_t event, const Reading& reading, const std::string& problem)>;

  /// All three must outlive it.
  Comparisons(const Exam& exam, const Family& family, const Bench& bench)
      : exam_(exam), family_(family), bench_(bench) {}
  void counts(const ObservedRun& run, const Report& report) const;
  /// The status that a handler reads first: it must name only counters that overflowed, and counting must not be frozen
  /// unless an overflow freezes it (`frozen`).
  void status(const ObservedRun& run, bool frozen, const Report& report) const;
  static void captures(const ObservedRun& run, const Report& report);
  void interrupt(const ObservedRun& run, const Report& report) const;
  /// `overflows`: the event that overflows, or every_event.
  void pins(const ObservedRun& run, std::size_t overflows, const Counts& counts,
            const std::map<std::size_t, Counts::Crossings>& crossings, const Report& report) const;
  /// Cycles from an overflow to the request of its interrupt.
  [[nodiscard]] Cycle request_delay() const;

 private:
  /// Whether the target has a parameter and its value is not 0.
  [[nodiscard]] bool chosen(std::string_view parameter) const {
    return exam_.parameters.has(parameter) && exam_.parameters.get(parameter) != 0;
  }
  /// True if a counter that is off may read higher (21264s): its value does not show whether it has counted.
  [[nodiscard]] bool idle_counters_read_higher() const { return family_.started_at_once && chosen("pmu.counter_read"); }

  const Exam& exam_;
  const Family& family_;
  const Bench& bench_;
};

}  // namespace pmusim::testbench::questions
