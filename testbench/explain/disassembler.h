// Disassembles instructions: with Zydis for i386, and with objdump of binutils, an external program, for the other
// instruction sets. Without objdump the text of an instruction is its encoding.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

/// Texts by address and, on IA-64, slot. The one instruction of an MLX bundle has two slots.
using InstructionTexts = std::map<std::pair<std::uint64_t, unsigned>, std::string>;

/// The text of every instruction. Of several at one address the first is used.
[[nodiscard]] InstructionTexts disassemble(trace::Isa isa, const std::vector<trace::Code>& codes);

/// The text of one instruction, without an external program: disassembly for i386, otherwise the encoding; IA-64: of
/// the slot. Empty if there is no instruction.
[[nodiscard]] std::string instruction_text(const trace::Code& code, trace::Isa isa, unsigned slot);

/// What to install for a disassembly. Empty if nothing is missing.
[[nodiscard]] std::string missing_disassembler(trace::Isa isa);

}  // namespace pmusim::testbench
