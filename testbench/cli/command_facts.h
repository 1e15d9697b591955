// The facts about a target that commands need besides its counts: perf's names of events, ratios of events, and bits
// that no question can change.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

/// The ratio that a pair of events measures. Both events can be counted in one run.
struct Ratio {
  enum class Shown { number, percent, per_thousand };

  std::string_view name;
  std::string_view over, under;  ///< events
  Shown shown = Shown::number;
  std::string_view inverse = {};  ///< perf's name of 1 / value, shown beside it; may be empty
};

/// The event that one of perf's generic names stands for (testbench/cli/perf_names.h).
struct GenericEvent {
  std::string_view name;
  std::string_view event;     ///< empty: the PMU has none
  std::string_view why = {};  ///< the reason; or how the event differs from what perf's name promises
};

/// Bits that no legal question can give another value.
struct NeverAsked {
  std::string_view reg;  ///< prefix of the register's name
  std::string_view field;
  std::string_view never;  ///< the value that they always have, 0 or 1; empty: either
  std::string_view why;
};
/// A reason shared by several families.
inline constexpr std::string_view started_last = "the last write lets the counters go";

/// The facts about the target's counters for Tru64's pfm device (`record --statistic`).
struct StatisticFacts {
  unsigned at_once = 1;           ///< number of statistics that one run can collect, each with its own counter
  bool asks_for_periods = false;  ///< an event has the attribute `freq`
};

/// An event as Linux's perf takes it with -e.
struct PerfEvent {
  std::string named;  ///< cpu/event=0x41,umask=0x00/u
  std::string raw;    ///< r41:u
};
/// Whether and how Linux's perf counts on the target.
struct PerfFacts {
  /// Throws std::invalid_argument for an event that perf cannot express. Null: no driver.
  PerfEvent (*event)(const encoder::Encoding& encoding, const encoder::EncodedEvent& event) = nullptr;
  std::string_view why_not = {};  ///< without a driver: one sentence
};

struct CommandFacts {
  std::span<const Ratio> ratios;
  std::span<const GenericEvent> generic = {};
  std::span<const NeverAsked> never_asked = {};
  PerfFacts perf = {};
  const StatisticFacts* statistics = nullptr;  ///< null: the device does not support the target
};
/// The facts about a target; null if there are none.
[[nodiscard]] const CommandFacts* find_command_facts(std::string_view target);
[[nodiscard]] inline CommandFacts facts_of(std::string_view target) {
  const CommandFacts* const facts = find_command_facts(target);
  return facts == nullptr ? CommandFacts{} : *facts;
}
[[nodiscard]] inline std::span<const Ratio> ratios_of(std::string_view target) { return facts_of(target).ratios; }
[[nodiscard]] inline std::span<const GenericEvent> generic_events_of(std::string_view target) {
  return facts_of(target).generic;
}

}  // namespace pmusim::testbench

#define FACTS CommandFacts
#define MEMBER commands
#include "testbench/targets/declare_facts.inc"
