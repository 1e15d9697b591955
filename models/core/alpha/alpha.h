// The Alpha timing cores: 21064 (EV4), 21164 (EV5, EV56), 21164PC (PCA56), 21264 (EV6), 21264A (EV67).
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

/// Sizes, latencies and open behaviours of the cores, all named `core.*`.
[[nodiscard]] models::Parameters alpha_ev4_parameters();
[[nodiscard]] models::Parameters alpha_ev5_parameters();
[[nodiscard]] models::Parameters alpha_pca56_parameters();
[[nodiscard]] models::Parameters alpha_ev6_parameters();
[[nodiscard]] models::Parameters alpha_ev67_parameters();

/// A core that runs an Alpha trace. `parameters` must contain all parameters that the function above returns for the
/// same chip; others are ignored. Throws CoreError for a trace of another instruction set, ParameterError for
/// inconsistent values.
[[nodiscard]] std::unique_ptr<Core> make_alpha_ev4(std::unique_ptr<trace::Reader> reader,
                                                   const models::Parameters& parameters);
[[nodiscard]] std::unique_ptr<Core> make_alpha_ev5(std::unique_ptr<trace::Reader> reader,
                                                   const models::Parameters& parameters);
[[nodiscard]] std::unique_ptr<Core> make_alpha_pca56(std::unique_ptr<trace::Reader> reader,
                                                     const models::Parameters& parameters);
[[nodiscard]] std::unique_ptr<Core> make_alpha_ev6(std::unique_ptr<trace::Reader> reader,
                                                   const models::Parameters& parameters);
[[nodiscard]] std::unique_ptr<Core> make_alpha_ev67(std::unique_ptr<trace::Reader> reader,
                                                    const models::Parameters& parameters);

}  // namespace pmusim::core
