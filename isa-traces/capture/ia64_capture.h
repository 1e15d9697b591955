// Recording an IA-64 program with the project's own simulator.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "capture.h"

namespace pmusim::trace::ia64 {

/// The rules of trace::capture(). A program that ends in `.s` is assembled and linked first, together with what its
/// arguments name: more files that end in `.s`. If none of them defines `_start`, the start code of
/// isa-traces/programs/ia64/crt0.s calls their `main`. Programs get no arguments themselves.
[[nodiscard]] CaptureResult capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& output, std::uint64_t most_slots, bool names);

}  // namespace pmusim::trace::ia64
