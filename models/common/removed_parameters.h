// Parameters that earlier versions had for behaviours that no document describes and of which no source knows another
// reading.
#pragma once

#include <string_view>

namespace pmusim::models {

/// The behaviour that is now the only one; empty if there was no such parameter.
[[nodiscard]] std::string_view behaviour_instead_of(std::string_view parameter);

}  // namespace pmusim::models
