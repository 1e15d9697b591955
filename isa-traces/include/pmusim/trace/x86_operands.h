// Length and memory operands of IA-32 instructions, from their encodings only, for programs that create traces.
#pragma once

#include <cstdint>
#include <span>

namespace pmusim::trace::x86 {

/// Length of an instruction and sizes of its memory operands.
struct MemoryOperands {
  unsigned length = 0;       ///< length in bytes; 0: not a valid or not a complete instruction
  unsigned load_bytes = 0;   ///< bytes read, including implicit operands (push [eax]: 4); rep: in one iteration
  unsigned store_bytes = 0;  ///< bytes written, likewise
};

/// The operands of the instruction at the beginning of `bytes`, which may be longer. SSE and later extensions are
/// supported, although the Athlon does not have them.
[[nodiscard]] MemoryOperands memory_operands(std::span<const std::uint8_t> bytes);

}  // namespace pmusim::trace::x86
