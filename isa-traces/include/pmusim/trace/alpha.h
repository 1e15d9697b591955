// Alpha instruction classifier: decodes a 32-bit encoding to its properties. The tables follow the Alpha Architecture
// Handbook, version 4, appendix C, and the 21264's hardware reference manual for FIX and CIX.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::alpha {

/// Kind of operation. It determines the bus and unit of the 21064, the pipe of the 21164 and the subcluster of the
/// 21264, and is the index of the timing tables. Integer operates come first, then floating-point operates.
enum class Kind : std::uint8_t {
  load_address,  ///< lda, ldah
  add,           ///< also subtract, scaled
  compare,       ///< also cmpbge
  logical,       ///< also amask, implver
  shift,         ///< also extract, insert, mask, zap, sign extension
  conditional_move,
  multiply_long,
  multiply_quad,
  multiply_high,
  multimedia,  ///< MVI and the bit counts of CIX
  fp_add,      ///< also subtract, compare, convert
  fp_multiply,
  fp_divide_single,  ///< also F format
  fp_divide_double,  ///< also G format
  fp_sqrt_single,
  fp_sqrt_double,
  fp_copy_sign,
  fp_conditional_move,
  fp_control,     ///< mt_fpcr, mf_fpcr
  integer_to_fp,  ///< itof
  fp_to_integer,  ///< ftoi
  load,
  fp_load,
  load_locked,
  store,
  fp_store,
  store_conditional,
  memory_barrier,
  write_barrier,
  trap_barrier,
  exception_barrier,
  fetch,       ///< fetch, fetch_m: prefetch of a block
  write_hint,  ///< wh64, wh64en
  evict,       ///< ecb
  read_cycle_counter,
  read_and_flag,  ///< rc, rs
  integer_branch,
  fp_branch,
  jump,
  call_pal,
  hw_mfpr,  ///< this and the following kinds occur in PALcode only
  hw_mtpr,
  hw_load,
  hw_store,
  hw_return,  ///< hw_rei of the 21064 and 21164
  illegal
};

/// Effect of a branch on the program counter and the return address stack.
enum class BranchKind : std::uint8_t {
  none,
  conditional,          ///< compares an integer or floating-point register with zero
  unconditional,        ///< br
  subroutine,           ///< bsr: pushes a return address
  computed,             ///< jmp
  computed_subroutine,  ///< jsr: pushes a return address
  subroutine_return,    ///< ret: pops a return address
  coroutine,            ///< jsr_coroutine: pops, then pushes
  pal_entry,            ///< call_pal
  pal_return,           ///< hw_ret, hw_rei
};

/// The architecture extension to which an instruction belongs. 21064 and 21164 have base only, 21164A bwx, 21164PC bwx
/// and mvi, 21264 bwx, fix and mvi, 21264A also cix. On other processors the opcode is reserved.
enum class Extension : std::uint8_t { base, bwx, fix, cix, mvi };

/// Register numbers in reads and writes: 0-30 integer, 32-62 floating point, then the control register. R31 and F31
/// never appear: they read as zero and ignore writes.
inline constexpr std::uint8_t reg_fp = 32;      ///< F0
inline constexpr std::uint8_t reg_fpcr = 64;    ///< floating-point control register
inline constexpr unsigned register_count = 65;  ///< number of register numbers

/// A decoded instruction. Members that do not apply to its kind keep their defaults.
struct Operation {
  std::string_view mnemonic;              ///< without qualifiers: "addt" for addt/su; "" for illegal
  Kind kind = Kind::illegal;              ///< kind of operation, and index of the timing tables
  Extension extension = Extension::base;  ///< extension that the processor must implement
  BranchKind branch = BranchKind::none;   ///< none for instructions that are not branches
  bool has_target = false;                ///< branch with a displacement
  std::uint64_t target = 0;               ///< target address of the displacement, if has_target
  bool backward = false;                  ///< displacement < 0: the static prediction is taken
  std::uint16_t hint = 0;                 ///< jmp, jsr: bits 15:0 of the address that the instruction predicts
  std::uint32_t pal_function = 0;         ///< function of call_pal, 26 bits
  std::uint8_t access_size = 0;           ///< size of a load or store in bytes; the access is aligned to it
  bool unaligned = false;                 ///< ldq_u, stq_u: the low three bits of the address are ignored
  bool literal = false;                   ///< second operand is an 8-bit literal
  bool nop = false;                  ///< no effect: operate, lda or ldq_u with R31 or F31 as target (bis, fnop, unop)
  bool prefetch = false;             ///< load (not ldq_u) to R31 or F31; recorded traces do not have its address
  std::vector<std::uint8_t> reads;   ///< each register once
  std::vector<std::uint8_t> writes;  ///< each register once

  /// Integer operate as counted by the 21064 and 21164, including lda and ldah.
  [[nodiscard]] bool is_integer_operate() const { return kind <= Kind::multimedia; }
  /// Floating-point operate, without loads, stores and branches.
  [[nodiscard]] bool is_fp_operate() const { return kind >= Kind::fp_add && kind <= Kind::fp_to_integer; }
  /// Reads memory: integer, floating-point and locked loads.
  [[nodiscard]] bool is_load() const { return kind >= Kind::load && kind <= Kind::load_locked; }
  /// Writes memory, including store-conditional.
  [[nodiscard]] bool is_store() const { return kind >= Kind::store && kind <= Kind::store_conditional; }
  /// Changes the flow of control, including calls of and returns from PALcode.
  [[nodiscard]] bool is_branch() const { return branch != BranchKind::none; }
};

/// Classifies an instruction. Never fails: an invalid encoding has Kind::illegal.
[[nodiscard]] Operation classify(const Code& code);

}  // namespace pmusim::trace::alpha
