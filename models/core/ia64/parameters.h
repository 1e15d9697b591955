// Named parameters of IA-64 cores: the rows that all processors have, and Settings from them.
#pragma once

#include <string_view>
#include <vector>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "models/core/ia64/settings.h"

namespace pmusim::core::ia64 {

/// A parameter and the field that it sets.
struct Row {
  models::ParameterInfo info;
  Settings::Value Settings::*field;
};

/// Values of a parameter that is off or on.
[[nodiscard]] const std::vector<models::Choice>& off_on();
/// The rows of every IA-64 core, with the Itanium 2's defaults.
[[nodiscard]] std::vector<Row> common_rows();
[[nodiscard]] models::Parameters parameters_of(std::vector<Row> rows);
/// Fields of the rows from a set of parameters; those missing there have their defaults, fields without a row are 0.
/// Throws ParameterError when they do not fit together.
[[nodiscard]] Settings settings_of(const std::vector<Row>& rows, const models::Parameters& parameters);
/// Throws CoreError when the trace is of another instruction set.
void require_ia64(const trace::Reader& trace, std::string_view core);

}  // namespace pmusim::core::ia64
