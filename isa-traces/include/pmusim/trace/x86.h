// IA-32 instruction classifier on top of Zydis. DirectPath/VectorPath and macro-operation counts are the
// AMD Athlon Processor x86 Code Optimization Guide's (22007, appendix F), by class where not by instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::x86 {

/// What kind of work; the timing tables are indexed by it.
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
  branch,
  far_transfer,
  segment_move,
  system,
  prefetch,
  illegal
};

/// Where a branch goes and how it is found.
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

/// Register numbering of reads and writes: 0-7 GPR (eax ecx edx ebx esp ebp esi edi), 8 flags, 9-16 x87/MMX
/// registers by physical name (st(i) as named; exact renaming is not modelled), 17 x87 status and control.
inline constexpr std::uint8_t reg_flags = 8;       ///< EFLAGS
inline constexpr std::uint8_t reg_fp = 9;          ///< st(0), mm0
inline constexpr std::uint8_t reg_fp_status = 17;  ///< x87 status and control words
inline constexpr unsigned register_count = 18;     ///< numbers are below it

/// What an instruction is and does. Fields that do not apply to the kind keep their defaults.
struct Operation {
  std::string mnemonic;                     ///< as Zydis spells it, without prefixes; "" for illegal
  Kind kind = Kind::illegal;                ///< work, and index into the timing tables
  BranchKind branch = BranchKind::none;     ///< none for other than branches
  bool has_target = false;                  ///< direct near branch: `target` is known
  std::uint64_t target = 0;                 ///< address that the displacement gives, if has_target
  std::uint8_t macro_ops = 1;               ///< macro-operations of one execution, of one iteration if it repeats
  bool vector_path = false;                 ///< decoded by VectorPath, alone; else by DirectPath
  bool repeats = false;                     ///< rep prefix on a string instruction
  bool locked = false;                      ///< lock prefix, or xchg with memory
  bool loads = false;                       ///< reads memory; a segment load also reads its descriptor, not meant here
  bool stores = false;                      ///< writes memory
  bool serializing = false;                 ///< CPUID, IRET, WRMSR, INVD, ...
  bool clears_interrupt_flag = false;       ///< cli
  bool sets_interrupt_flag = false;         ///< sti
  bool halts = false;                       ///< hlt
  bool software_interrupt = false;          ///< int n, int3, into
  bool fp_unit = false;                     ///< goes to the floating-point scheduler (x87, MMX, 3DNow!)
  std::int8_t segment_written = -1;         ///< SegmentRegister order es cs ss ds fs gs; -1 none
  std::vector<std::uint8_t> reads;          ///< numbers as above
  std::vector<std::uint8_t> writes;         ///< the same
  std::vector<std::uint8_t> address_reads;  ///< registers that form memory addresses, also in reads
  bool same_register = false;               ///< its two operands are one register of 32 bits or more: xor eax,eax
  bool stores_high_byte = false;            ///< stores ah, ch, dh or bh
  /// A memory operand whose address stands in the instruction, with no register: that address and the operand's bytes.
  bool absolute_loads = false;         ///< it is read
  bool absolute_stores = false;        ///< it is written
  std::uint32_t absolute_address = 0;  ///< the address, if one of the two
  std::uint16_t absolute_bytes = 0;    ///< bytes of the operand
};

/// Never fails: what is no instruction has Kind::illegal.
[[nodiscard]] Operation classify(const Code& code);

}  // namespace pmusim::trace::x86
