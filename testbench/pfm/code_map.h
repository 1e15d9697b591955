// The code that was fetched, by address: the interpretation of a profile-me sample depends on the instruction in
// memory.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/activity/activity.h"

namespace pmusim::testbench::pfm {

class CodeMap {
 public:
  void consume(const activity::Block& block) {
    for (const auto signal : {activity::Signal::instruction_fetch, activity::Signal::retire}) {
      for (const activity::Occurrence& what : block.column(signal)) {
        if (what.ref == activity::no_ref) continue;
        const activity::InstructionRecord& record = block.instructions[what.ref];
        const auto word = static_cast<std::uint32_t>(record.encoding);
        if (word != 0) words_[record.ip] = word;  // on a wrong path code may be unknown
      }
    }
  }
  /// The instruction word at an address; 0 (call_pal halt) if none was fetched from there.
  [[nodiscard]] std::uint32_t at(std::uint64_t pc) const {
    const auto found = words_.find(pc & ~std::uint64_t{3});
    return found == words_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> words_;
};

// Opcodes in bits 31:26 (Alpha Architecture Handbook, appendix C).
/// BR, BSR, or a jump. A BR or BSR that a trace says goes elsewhere than its word says is mispredicted like a jump.
[[nodiscard]] constexpr bool is_unconditional(std::uint32_t word) {
  const std::uint32_t opcode = word >> 26;
  return opcode == 0x1a || opcode == 0x30 || opcode == 0x34;
}
[[nodiscard]] constexpr bool is_conditional_branch(std::uint32_t word) {
  const std::uint32_t opcode = word >> 26;
  return opcode > 0x30 && opcode != 0x34;  // 0x30 is br, 0x34 bsr
}
/// True for instructions that leave the 21264 without executing: TRAPB, EXCB, and those whose only effect would be to
/// write R31 or F31.
[[nodiscard]] constexpr bool is_squashed(std::uint32_t word) {
  const std::uint32_t opcode = word >> 26, function = word >> 5 & 0x7ff;
  if (opcode == 0x18) return (word & 0xffff) == 0 || (word & 0xffff) == 0x400;
  if (opcode == 0x08 || opcode == 0x09 || opcode == 0x0b) return (word >> 21 & 31) == 31;  // lda, ldah, ldq_u
  const bool operate = (opcode >= 0x10 && opcode <= 0x17) || opcode == 0x1c;
  const bool mt_fpcr = opcode == 0x17 && function == 0x024;
  return operate && !mt_fpcr && (word & 31) == 31;
}
/// True for an instruction that may change the flow of control: a basic block ends after it.
[[nodiscard]] constexpr bool ends_block(std::uint32_t word) {
  return word >> 26 > 0x30 || is_unconditional(word) || word >> 26 == 0;
}

}  // namespace pmusim::testbench::pfm
