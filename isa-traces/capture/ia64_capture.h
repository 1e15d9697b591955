// Steps of a recording: the check of the program, IA-64 programs in the project's simulator, operands that the emulator
// does not report.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture.h"
#include "pmusim/trace/instruction.h"
#include "pmusim/trace/ppc.h"

namespace pmusim::trace::ia64 {

/// Implements trace::capture() for IA-64. A program whose name ends in `.s` is assembled and linked first, together
/// with the `.s` files in the arguments. If none of them defines `_start`, the start code of
/// isa-traces/programs/ia64/crt0.s calls their `main`. The program itself gets no arguments.
[[nodiscard]] CaptureResult capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& output, std::uint64_t most_slots, bool names);

}  // namespace pmusim::trace::ia64

// Checks the ELF header before the run: whether the program can be recorded, and the libraries that it needs.
namespace pmusim::trace {

/// Throws CaptureError unless the file is a Linux executable for the ISA. Returns the folder of its dynamic linker and
/// libraries: `sysroot` if given, else the folder of Debian's cross-compiling C library, else `/`; empty for a
/// statically linked program. If there is no such folder, throws CaptureError with the name of the package.
[[nodiscard]] std::string check_program(Isa isa, const std::filesystem::path& program,
                                        const std::filesystem::path& sysroot = {});

}  // namespace pmusim::trace

// Memory operands of PowerPC instructions that the emulator does not report: load and store multiple, string
// instructions, and instructions for a cache block. Their addresses are computed from a second run that logs the
// registers before each.
namespace pmusim::trace::ppc {

/// True if the emulator does not report the operand of this instruction.
[[nodiscard]] bool lacks_operand(Kind kind);

/// The emulator's switches for a run that logs the registers before the instructions at these addresses.
[[nodiscard]] std::vector<std::string> log_switches(const std::set<std::uint64_t>& addresses,
                                                    const std::filesystem::path& log);

/// Reads the log of such a run in order.
class RegisterLog {
 public:
  explicit RegisterLog(const std::filesystem::path& log);
  /// The accesses of the next logged instruction, which must be `code`. Throws CaptureError if it is not.
  [[nodiscard]] std::vector<Access> next_operand(const Code& code, const Operation& operation);

 private:
  struct State {
    std::uint64_t pc = 0;
    std::uint32_t xer = 0;
    std::array<std::uint32_t, 32> general{};
  };
  [[nodiscard]] std::optional<State> next_state();
  std::ifstream file_;
};

}  // namespace pmusim::trace::ppc
