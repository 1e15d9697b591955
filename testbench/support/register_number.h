// Numbers that users give for registers: the same on the command line and in Python, for writing and for decoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pmusim::testbench {

struct RegisterNumber {
  std::uint64_t value = 0;
  bool left_out = false;  ///< bits above the register's width were set, and are left out
};

/// Parses a decimal or 0x number for a register of `width` bits. A negative number, or one whose bits above the width
/// all equal its sign, stands for its two's complement. Bits above the width are left out where the write carries them
/// (`carried` bits). Throws UsageError, which begins with `what`, for a number that does not fit.
[[nodiscard]] RegisterNumber register_number(std::string_view name, unsigned width, unsigned carried,
                                             std::string_view text, const std::string& what);
/// Bits that a write of a register carries, by the name of its space: the general registers of the PowerPC have 32, all
/// others 64.
[[nodiscard]] inline unsigned carried_bits(std::string_view space) { return space == "spr" ? 32 : 64; }

}  // namespace pmusim::testbench
