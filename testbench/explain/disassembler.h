// Instructions as text: Zydis for i386, and for the other instruction sets an objdump of binutils, which is another
// program. Where there is none, an instruction is its encoding.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

/// By address and, on IA-64, slot; an MLX bundle's one instruction has two slots.
using InstructionTexts = std::map<std::pair<std::uint64_t, unsigned>, std::string>;

/// The text of every instruction. Of several at one address the first counts.
[[nodiscard]] InstructionTexts disassemble(trace::Isa isa, const std::vector<trace::Code>& codes);

/// Of one instruction, without another program: i386 disassembled, else the encoding; IA-64: of the slot. Empty for
/// what is no instruction.
[[nodiscard]] std::string instruction_text(const trace::Code& code, trace::Isa isa, unsigned slot);

/// What to install so that instructions are more than encodings. Empty: nothing is missing.
[[nodiscard]] std::string missing_disassembler(trace::Isa isa);

}  // namespace pmusim::testbench
