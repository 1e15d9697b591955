// Recording a user program: runs it under QEMU's user-mode emulation with the recorder plugin, an IA-64 one in the
// project's own simulator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// The program could not be recorded. what() is one line: what is wrong with what, and what would be right.
struct CaptureError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CaptureResult {
  std::uint64_t instructions = 0;  ///< lines of the trace
  int exit_status = 0;             ///< of the program
};

/// Runs a program of `isa` (ia64: statically linked, or assembly, see ia64_capture.h) and writes what it executed to
/// `output`: `.pmt` is binary, anything else text (`.zst`: packed). The program gets an empty environment, so that a
/// second recording gives the same bytes; its standard streams are the caller's. The libraries of a dynamically linked
/// one are below `sysroot`, by default where Debian's cross compilers have them. The emulated processors are the 750GX,
/// an Athlon without SSE, and the 21264A. Nothing is left at `output` if anything fails. A program that executes more
/// than `most` instructions (ia64: slots) is cut off with an error. The trace begins with the program's functions and
/// lines, if `names` is set. Throws CaptureError (no emulator,
/// wrong kind of program, killed by a signal) and TraceError (writing).
[[nodiscard]] CaptureResult capture(Isa isa, const std::filesystem::path& program,
                                    const std::vector<std::string>& arguments, const std::filesystem::path& output,
                                    std::uint64_t most = 1'000'000'000, const std::filesystem::path& sysroot = {},
                                    bool names = false);

}  // namespace pmusim::trace
