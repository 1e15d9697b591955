// The disassembler of binutils as an independent source for instruction encodings.
#pragma once

#include <gtest/gtest.h>

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

/// The code of a 32-bit instruction word in the byte order of the ISA.
[[nodiscard]] trace::Code code_of(trace::Isa isa, std::uint32_t word);

template <class Operation>
void expect_same_target(const Operation& op, const Line& line) {
  if (!op.has_target) return;
  const std::size_t at = line.operands.rfind("0x");
  ASSERT_NE(at, std::string::npos) << line.operands;
  EXPECT_EQ(op.target, std::stoull(line.operands.substr(at), nullptr, 16)) << line.operands;
}

/// Returns every distinct encoding in the recorded traces of an ISA.
[[nodiscard]] std::vector<trace::Code> recorded_encodings(trace::Isa isa);

}  // namespace pmusim::testbench
