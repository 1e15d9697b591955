// Names of signals and states, as signals.h spells them.
#pragma once

#include <optional>
#include <string_view>

#include "models/activity/signals.h"

namespace pmusim::activity {

[[nodiscard]] std::string_view name_of(Signal signal);
[[nodiscard]] std::string_view name_of(State state);
/// Empty for a name that is none.
[[nodiscard]] std::optional<Signal> find_signal(std::string_view name);
[[nodiscard]] std::optional<State> find_state(std::string_view name);

}  // namespace pmusim::activity
