// Named parameters of IA-64 cores: the rows that all processors have, and Settings from them.
#pragma once

#include <string_view>

#include "models/common/parameter_rows.h"
#include "models/core/core.h"
#include "models/core/ia64/settings.h"

namespace pmusim::core::ia64 {

/// The rows of every IA-64 core, with the Itanium 2's defaults.
[[nodiscard]] models::ParameterRows<Settings> common_rows();
/// Fields of the rows from a set of parameters; those missing there have their defaults, fields without a row are 0.
/// Throws ParameterError when they do not fit together.
[[nodiscard]] Settings settings_of(const models::ParameterRows<Settings>& rows, const models::Parameters& parameters);
/// Throws CoreError when the trace is of another instruction set.
void require_ia64(const trace::Reader& trace, std::string_view core);

}  // namespace pmusim::core::ia64
