// The timing core of the AMD Athlon (K7). docs/targets/athlon-core.md describes what is modelled and which directives
// the core supports.
#pragma once

#include <cstdint>
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
/// When recurring states of the pipeline are replayed (models/core/athlon/README.md). Activity does not depend on it.
enum class Replays : std::uint8_t { never, where_it_pays, always };
/// As make_athlon(), which replays where it pays, with a choice of when to replay.
[[nodiscard]] std::unique_ptr<Core> make_athlon_replaying(Replays when, std::unique_ptr<trace::Reader> trace,
                                                          const models::Parameters& parameters);
/// Instructions of the trace that an Athlon core has retired by replay.
[[nodiscard]] std::uint64_t replayed_instructions(const Core& athlon);

}  // namespace pmusim::core
