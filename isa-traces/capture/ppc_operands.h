// Memory operands of PowerPC instructions that the emulator does not report: load and store multiple, string
// instructions, and instructions for a cache block. Their addresses are computed from a second run that logs the
// registers before each.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/ppc.h"

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
