// What a tool decides by itself, whatever it is asked: a policy, which is judged as such and reported once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {

/// The key `policy` of an answer (docs/foreign-encoders.md). The answer is judged by what the tool decided in place of
/// what was asked.
struct Policy {
  bool both_levels = false;                  ///< counts in user and kernel mode
  bool interrupts = false;                   ///< every counter that is used interrupts
  bool stops = false;                        ///< an interrupt stops all counters
  bool no_filters = false;                   ///< ignores the filters of a run
  bool unmarked_only = false;                ///< counts while the process is not marked
  std::optional<std::uint64_t> period = {};  ///< the only period
  [[nodiscard]] bool operator==(const Policy&) const = default;
};

/// The names of the policies in force, as they are reported: "interrupts", "period 4096".
[[nodiscard]] std::vector<std::string> names_of(const Policy& policy);
/// What a policy of that name costs its users, in one sentence.
[[nodiscard]] std::string_view cost_of(std::string_view name);

/// Changes what a group asks for to what a tool with this policy does.
void apply(const Policy& policy, Group& group);

}  // namespace pmusim::testbench
