// The PowerPC 750GX (and 750GL, whose core is the same) timing core.
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

/// Sizes, latencies and open behaviours of the core, all named `core.*`.
[[nodiscard]] models::Parameters ppc750_parameters();

/// A core that runs a PowerPC trace. `parameters` must contain all of ppc750_parameters(); others are ignored. Throws
/// CoreError for a trace of another instruction set, ParameterError for inconsistent values.
[[nodiscard]] std::unique_ptr<Core> make_ppc750(std::unique_ptr<trace::Reader> reader,
                                                const models::Parameters& parameters);

}  // namespace pmusim::core
