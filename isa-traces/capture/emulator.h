// Starts QEMU's user-mode emulator.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "subprocess.h"

namespace pmusim::trace {

/// The recorder plugin: the file that the environment variable PMUSIM_PLUGIN names, else the first one found in the
/// build tree or installation of the running executable. Throws CaptureError if there is none.
[[nodiscard]] std::filesystem::path recorder_plugin();

/// A program with its arguments.
struct Emulated {
  Isa isa = Isa::ppc;
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::string sysroot;  ///< folder of its dynamic linker and libraries; empty if it needs none
};

/// Runs a program with an empty environment and the given switches of the emulator. Returns the exit status. Throws
/// CaptureError if the emulator is missing or the program was killed by a signal.
int run_emulator(const Emulated& emulated, const std::vector<std::string>& switches, Streams streams);

}  // namespace pmusim::trace
