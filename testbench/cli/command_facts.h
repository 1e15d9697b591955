// What commands say of a target beside its counts: ratios of events, and bits that no question wants otherwise.
#pragma once

#include <span>
#include <string_view>

namespace pmusim::testbench {

/// What a pair of events measures together. Both can be counted in one run.
struct Ratio {
  std::string_view name;
  std::string_view over, under;  ///< events
};

/// Bits that no legal question wants otherwise.
struct NeverAsked {
  std::string_view reg;  ///< the beginning of its name
  std::string_view field;
  std::string_view never;  ///< 0 or 1; empty: either
  std::string_view why;
};
/// Reasons that families share.
inline constexpr std::string_view started_last = "the last write lets the counters go";

/// What Tru64's pfm device knows of its counters (`record --statistic`).
struct StatisticFacts {
  unsigned at_once = 1;           ///< statistics that one run may collect, each with a counter
  bool asks_for_periods = false;  ///< an event has the attribute `freq`
};

struct CommandFacts {
  std::span<const Ratio> ratios;
  std::span<const NeverAsked> never_asked = {};
  const StatisticFacts* statistics = nullptr;  ///< null: the device does not know the target
};
/// Null for a target without any.
[[nodiscard]] const CommandFacts* find_command_facts(std::string_view target);
[[nodiscard]] inline std::span<const Ratio> ratios_of(std::string_view target) {
  const CommandFacts* const facts = find_command_facts(target);
  return facts == nullptr ? std::span<const Ratio>() : facts->ratios;
}

}  // namespace pmusim::testbench
