// The disassembler of binutils as an independent source for instruction encodings.
#pragma once

#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

/// One instruction as objdump prints it: PowerPC without extended mnemonics, i386 in Intel's syntax, Alpha with its
/// aliases.
struct Line {
  std::string mnemonic;  ///< with prefixes in front ("rep stos"); ".long" or "(bad)" if there is no instruction
  std::string operands;
  unsigned length = 0;  ///< bytes
};

/// True if the objdump of the cross binutils for this ISA is installed. See have_tools().
[[nodiscard]] bool have_disassembler(trace::Isa isa);

/// Returns a line for every code, and sets the pc of each code to its address. Throws std::runtime_error if objdump
/// fails.
[[nodiscard]] std::vector<Line> disassemble(trace::Isa isa, std::vector<trace::Code>& codes);

/// Returns every distinct encoding in the recorded traces of an ISA.
[[nodiscard]] std::vector<trace::Code> recorded_encodings(trace::Isa isa);

}  // namespace pmusim::testbench
