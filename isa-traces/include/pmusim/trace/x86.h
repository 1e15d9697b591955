// IA-32 instruction classifier, based on Zydis. DirectPath/VectorPath and macro-operation counts follow the AMD Athlon
// Processor x86 Code Optimization Guide (22007, appendix F), by instruction or by class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::x86 {

/// Kind of operation, and index of the timing tables.
enum class Kind : std::uint8_t {
  integer,
  multiply,
  divide,
  shift,
  string,
  move,
  nop,
  fp_add,
  fp_multiply,
  fp_divide,
  fp_sqrt,
  fp_transcendental,
  fp_move,
  fp_compare,
  fp_control,
  fp_convert,
  mmx,
  amd3dnow,
  sse,
  branch,
  far_transfer,
  segment_move,
  system,
  prefetch,
  illegal
};

/// Kind of branch and source of its target.
enum class BranchKind : std::uint8_t {
  none,
  conditional,
  jump,
  call,
  ret,
  indirect_jump,
  indirect_call,
  loop,
  far_transfer
};

/// Register numbers in reads and writes: 0-7 GPR (eax ecx edx ebx esp ebp esi edi), 8 flags, 9-16 x87/MMX registers by
/// their number in the instruction (the x87 stack is not modelled exactly), 17 x87 status and control, 18-25 xmm0-xmm7,
/// 26 CF, which INC and DEC leave as it is.
inline constexpr std::uint8_t reg_flags = 8;       ///< EFLAGS without CF
inline constexpr std::uint8_t reg_fp = 9;          ///< st(0), mm0
inline constexpr std::uint8_t reg_fp_status = 17;  ///< x87 status and control words
inline constexpr std::uint8_t reg_xmm = 18;        ///< xmm0
inline constexpr std::uint8_t reg_carry = 26;      ///< CF
inline constexpr unsigned register_count = 27;     ///< number of register numbers

/// A decoded instruction. Members that do not apply to its kind keep their defaults.
struct Operation {
  std::string mnemonic;                     ///< as in Zydis, without prefixes; "" for illegal
  Kind kind = Kind::illegal;                ///< kind of operation, and index of the timing tables
  BranchKind branch = BranchKind::none;     ///< none for instructions that are not branches
  bool has_target = false;                  ///< direct near branch: `target` is known
  std::uint64_t target = 0;                 ///< target address of the displacement, if has_target
  std::uint8_t macro_ops = 1;               ///< macro-operations of one execution, or of one iteration if it repeats
  bool vector_path = false;                 ///< true: decoded alone by VectorPath; false: by DirectPath
  bool repeats = false;                     ///< rep prefix on a string instruction
  bool locked = false;                      ///< lock prefix, or xchg with memory
  bool loads = false;                       ///< reads memory; the descriptor read of a segment load is not included
  bool stores = false;                      ///< writes memory
  bool serializing = false;                 ///< CPUID, IRET, WRMSR, INVD, ...
  bool clears_interrupt_flag = false;       ///< cli
  bool sets_interrupt_flag = false;         ///< sti
  bool halts = false;                       ///< hlt
  bool software_interrupt = false;          ///< int n, int3, into
  bool fp_unit = false;                     ///< uses the floating-point scheduler (x87, MMX, 3DNow!, SSE)
  std::int8_t segment_written = -1;         ///< segment register in the order es cs ss ds fs gs; -1: none
  std::vector<std::uint8_t> reads;          ///< registers read, by the numbers above
  std::vector<std::uint8_t> writes;         ///< registers written, by the numbers above
  std::vector<std::uint8_t> address_reads;  ///< registers that form memory addresses, also in reads
  std::vector<std::uint8_t> pointers;       ///< written by adding a constant to a pointer: esp, esi, edi of push, movs
  std::uint8_t operand_bits = 0;            ///< size of integer operands: 8, 16 or 32
  std::uint8_t prefixes = 0;                ///< bytes before the opcode
  bool immediate = false;                   ///< has an immediate operand
  bool by_cl = false;                       ///< shifts by CL
  bool same_register = false;               ///< both operands are the same register of 32 bits or more: xor eax,eax
  bool stores_high_byte = false;            ///< stores ah, ch, dh or bh
  /// Reads a memory operand whose address is a constant in the instruction, without registers.
  bool absolute_loads = false;
  bool absolute_stores = false;        ///< writes such an operand
  std::uint32_t absolute_address = 0;  ///< address of the operand, if it is read or written
  std::uint16_t absolute_bytes = 0;    ///< size of the operand in bytes
};

/// Classifies an instruction. Never fails: an invalid encoding has Kind::illegal.
[[nodiscard]] Operation classify(const Code& code);

}  // namespace pmusim::trace::x86
