// The timing core of the AMD Athlon (K7). docs/targets/athlon-core.md describes what is modelled and which directives
// the core supports.
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

/// The core's parameters, all named `core.…`, with their defaults (a model 4 or 6 part).
[[nodiscard]] models::Parameters athlon_parameters();

/// A core that runs an i386 trace. Parameters missing from the set have their defaults. Throws CoreError for a trace of
/// another instruction set, ParameterError for inconsistent parameters.
[[nodiscard]] std::unique_ptr<Core> make_athlon(std::unique_ptr<trace::Reader> trace,
                                                const models::Parameters& parameters);

}  // namespace pmusim::core
