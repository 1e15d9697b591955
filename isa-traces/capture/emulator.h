// Starting QEMU's user-mode emulator.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// The recorder plugin: the file that the environment variable PMUSIM_PLUGIN names, else the first found in the
/// build tree or installation that the running executable belongs to. Throws CaptureError if there is none.
[[nodiscard]] std::filesystem::path recorder_plugin();

/// Runs `program` with an empty environment and the given switches of the emulator in front of it. Returns the exit
/// status; throws CaptureError if the emulator is missing or the program was killed by a signal.
int run_emulator(Isa isa, const std::vector<std::string>& switches, const std::filesystem::path& program,
                 const std::vector<std::string>& arguments);

}  // namespace pmusim::trace
