// IA-64 programs in the project's simulator.
#pragma once

#include "capture.h"

namespace pmusim::trace::ia64 {

/// Implements trace::capture() for IA-64. A program whose name ends in `.s` is assembled and linked first, together
/// with the `.s` files in the arguments. If none of them defines `_start`, the start code of
/// isa-traces/programs/ia64/crt0.s calls their `main`. The program itself gets no arguments.
[[nodiscard]] CaptureResult capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& output, std::uint64_t most_slots, bool names);

}  // namespace pmusim::trace::ia64
