// The timing core of the Itanium 2 9000 series (Montecito): the Itanium 2's pipeline with a split L2 and two hardware
// threads. docs/targets/montecito-core.md says what is modelled, which of its rules are choices, and which directives
// it takes.
#pragma once

#include <memory>
#include <vector>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

/// The core's parameters, all named `core.…`, with their defaults.
[[nodiscard]] models::Parameters montecito_parameters();

/// A core that runs one or two ia64 traces, one a hardware thread; the first thread is active at the start. Parameters
/// missing from the set have their defaults. Throws CoreError when there are none or more than two traces or one is of
/// another instruction set, ParameterError when the parameters do not fit together.
[[nodiscard]] std::unique_ptr<Core> make_montecito(std::vector<std::unique_ptr<trace::Reader>> traces,
                                                   const models::Parameters& parameters);
/// The same with one trace: there is no second thread.
[[nodiscard]] std::unique_ptr<Core> make_montecito_single(std::unique_ptr<trace::Reader> trace,
                                                          const models::Parameters& parameters);

}  // namespace pmusim::core
