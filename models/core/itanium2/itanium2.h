// The timing core of the Itanium 2 (McKinley, Madison). docs/targets/itanium2-core.md says what is modelled, which of
// its rules are choices, and which directives it takes.
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

/// The core's parameters, all named `core.…`, with their defaults (a Madison with 3 MB of L3).
[[nodiscard]] models::Parameters itanium2_parameters();

/// A core that runs an ia64 trace. Parameters missing from the set have their defaults. Throws CoreError when the
/// trace is of another instruction set, ParameterError when the parameters do not fit together.
[[nodiscard]] std::unique_ptr<Core> make_itanium2(std::unique_ptr<trace::Reader> trace,
                                                  const models::Parameters& parameters);

}  // namespace pmusim::core
