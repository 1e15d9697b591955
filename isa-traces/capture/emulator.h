// Starting QEMU's user-mode emulator.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "subprocess.h"

namespace pmusim::trace {

/// The recorder plugin: the file that the environment variable PMUSIM_PLUGIN names, else the first found in the
/// build tree or installation that the running executable belongs to. Throws CaptureError if there is none.
[[nodiscard]] std::filesystem::path recorder_plugin();

/// A program, and what it is run with.
struct Emulated {
  Isa isa = Isa::ppc;
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::string sysroot;  ///< of its dynamic linker and libraries; empty if it needs none
};

/// Runs a program with an empty environment and the given switches of the emulator in front of it. Returns the exit
/// status; throws CaptureError if the emulator is missing or the program was killed by a signal.
int run_emulator(const Emulated& emulated, const std::vector<std::string>& switches, Streams streams);

}  // namespace pmusim::trace
