// Recording of user programs: runs a program under QEMU's user-mode emulation with the recorder plugin, an IA-64
// program in the project's simulator.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// The program could not be recorded. what() is one line with the program, the error and a correction.
struct CaptureError : std::runtime_error {
  using std::runtime_error::runtime_error;
  template <class... Values>
  CaptureError(fmt::format_string<Values...> form, Values&&... values) requires(sizeof...(Values) != 0)
      : std::runtime_error(fmt::format(form, std::forward<Values>(values)...)) {}
};

struct CaptureResult {
  std::uint64_t instructions = 0;  ///< as in pmusim/trace/numbering.h
  int exit_status = 0;             ///< exit status of the program
  std::vector<std::string> notes;  ///< a line for each executed file whose names are not known
};

/// Runs a program of `isa` (ia64: statically linked, or assembly, see ia64_capture.h) and writes its trace to `output`:
/// `.pmt` is binary, all other names are text (`.zst`: packed). The program gets an empty environment, so that a second
/// recording gives the same bytes, and the caller's standard streams. The libraries of a dynamically linked program are
/// below `sysroot`, by default in the folders of Debian's cross compilers. The emulated processors are the 750GX, an
/// Athlon without SSE, and the 21264A. If an error occurs, no file is left at `output`. A program whose trace has more
/// than `most` lines (ia64: a program that executes more slots) is stopped with an error. If `names` is set, the trace
/// begins with the functions and lines of the program and its libraries, at the addresses where they ran. Throws
/// CaptureError (no emulator, wrong kind of program, killed by a signal) and TraceError (writing).
[[nodiscard]] CaptureResult capture(Isa isa, const std::filesystem::path& program,
                                    const std::vector<std::string>& arguments, const std::filesystem::path& output,
                                    std::uint64_t most = 1'000'000'000, const std::filesystem::path& sysroot = {},
                                    bool names = false);

}  // namespace pmusim::trace
