// binutils' disassembler as an independent opinion on instruction encodings.
#pragma once

#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

/// One instruction as objdump prints it: PowerPC without extended mnemonics, i386 in Intel's syntax,
/// Alpha with its aliases.
struct Line {
  std::string mnemonic;  ///< with prefixes in front ("rep stos"); ".long" or "(bad)" for none
  std::string operands;
  unsigned length = 0;  ///< bytes
};

/// Is the objdump of the cross binutils for this ISA installed? See have_tools().
[[nodiscard]] bool have_disassembler(trace::Isa isa);

/// The listing of every code; also sets each one's pc to where it stood. Throws std::runtime_error if objdump fails.
[[nodiscard]] std::vector<Line> disassemble(trace::Isa isa, std::vector<trace::Code>& codes);

/// Every distinct encoding in the recorded traces of an ISA.
[[nodiscard]] std::vector<trace::Code> recorded_encodings(trace::Isa isa);

}  // namespace pmusim::testbench
