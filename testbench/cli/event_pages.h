// One event as a page, and the events that can be counted together with given ones.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

/// Adds the additional keys of an event's page: `inputs`, `constraints`, `siblings`, `partners`, `ratios`.
void add_page(const std::string& target, const encoder::EventInfo& event, Json& object);
void print_page(const Json& object);

/// Names of the signals and states that an event uses.
[[nodiscard]] std::vector<std::string> input_names(std::string_view target, const std::set<activity::Signal>& signals,
                                                   const std::set<activity::State>& states);

/// The encoder's sentence about a reserved code or a name that no document defines, if `name` is one on one of the
/// targets; else empty.
[[nodiscard]] std::string undefined_event(const std::vector<std::string>& targets, const std::string& name);

/// The events that can be counted beside these, and the reasons for the others. Throws UsageError if these cannot be
/// counted in one run.
[[nodiscard]] Json choice_beside(const std::string& target, const std::vector<std::string>& events);
void print_choice(const Json& object);

}  // namespace pmusim::testbench
