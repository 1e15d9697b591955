// What only the encoding of an IA-32 instruction tells of its length and its memory operands, for who makes traces.
#pragma once

#include <cstdint>
#include <span>

namespace pmusim::trace::x86 {

/// Bytes of an instruction and of what it reads and writes in memory.
struct MemoryOperands {
  unsigned length = 0;       ///< bytes of the instruction; 0: these bytes are none, or not all of one
  unsigned load_bytes = 0;   ///< all that it reads, explicit or not (push [eax]: 4); of rep, of one iteration
  unsigned store_bytes = 0;  ///< all that it writes
};

/// Of the instruction that begins with the first of these bytes; there may be more of them. SSE and later extensions
/// count as well: this is about any program, not about the Athlon's.
[[nodiscard]] MemoryOperands memory_operands(std::span<const std::uint8_t> bytes);

}  // namespace pmusim::trace::x86
