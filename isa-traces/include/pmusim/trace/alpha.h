// Alpha instruction classifier: from 32 bits to what a processor does with them. Tables follow the Alpha Architecture
// Handbook, version 4, appendix C, and the 21264's hardware reference manual for FIX and CIX.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::alpha {

/// What kind of work. Fine enough to decide alone the bus and unit of the 21064, the pipe of the 21164 and the
/// subcluster of the 21264; the timing tables are indexed by it. Integer operates come first, then floating ones.
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
  fp_divide_single,  ///< also F
  fp_divide_double,  ///< also G
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
  hw_mfpr,  ///< this and the following in PALcode only
  hw_mtpr,
  hw_load,
  hw_store,
  hw_return,  ///< hw_rei of the 21064 and 21164
  illegal
};

/// What a branch does to the program counter and the return stack.
enum class BranchKind : std::uint8_t {
  none,
  conditional,          ///< integer or floating-point register against zero
  unconditional,        ///< br
  subroutine,           ///< bsr: pushes a return address
  computed,             ///< jmp
  computed_subroutine,  ///< jsr: pushes
  subroutine_return,    ///< ret: pops
  coroutine,            ///< jsr_coroutine: pops, then pushes
  pal_entry,            ///< call_pal
  pal_return,           ///< hw_ret, hw_rei
};

/// What a processor needs for it: 21064 and 21164 have base alone, 21164A bwx, 21164PC also mvi, 21264 bwx, fix and
/// mvi, 21264A cix, too. Elsewhere it is a reserved opcode.
enum class Extension : std::uint8_t { base, bwx, fix, cix, mvi };

/// Register numbering of reads and writes: 0-30 integer, 32-62 floating point, then the control register. R31 and F31
/// never appear: they read as zero and drop what is written.
inline constexpr std::uint8_t reg_fp = 32;      ///< F0
inline constexpr std::uint8_t reg_fpcr = 64;    ///< floating-point control register
inline constexpr unsigned register_count = 65;  ///< numbers are below it

/// What an instruction is and does. Fields that do not apply to the kind keep their defaults.
struct Operation {
  std::string_view mnemonic;              ///< without qualifiers: "addt" for addt/su; "" for illegal
  Kind kind = Kind::illegal;              ///< work, and index into the timing tables
  Extension extension = Extension::base;  ///< what the processor must have to execute it
  BranchKind branch = BranchKind::none;   ///< none for other than branches
  bool has_target = false;                ///< branch with a displacement
  std::uint64_t target = 0;               ///< address that the displacement gives, if has_target
  bool backward = false;                  ///< displacement < 0: the static prediction is taken
  std::uint16_t hint = 0;                 ///< jmp, jsr: bits 15:0 of the address that the instruction predicts
  std::uint32_t pal_function = 0;         ///< of call_pal, 26 bits
  std::uint8_t access_size = 0;           ///< bytes of a load or store, which is aligned to them
  bool unaligned = false;                 ///< ldq_u, stq_u: the low three bits of the address are ignored
  bool literal = false;                   ///< second operand is an 8-bit literal
  bool nop = false;                  ///< no effect: operate, lda or ldq_u with R31 or F31 as target (bis, fnop, unop)
  bool prefetch = false;             ///< load, but not ldq_u, to R31 or F31; recorded traces do not know its address
  std::vector<std::uint8_t> reads;   ///< each register once
  std::vector<std::uint8_t> writes;  ///< each register once

  /// Integer operate as the 21064's and 21164's counters see it: lda and ldah included.
  [[nodiscard]] bool is_integer_operate() const { return kind <= Kind::multimedia; }
  /// Floating-point operate: no load, store or branch.
  [[nodiscard]] bool is_fp_operate() const { return kind >= Kind::fp_add && kind <= Kind::fp_to_integer; }
  /// Reads memory: integer, floating-point and locked loads.
  [[nodiscard]] bool is_load() const { return kind >= Kind::load && kind <= Kind::load_locked; }
  /// Writes memory: store-conditional included.
  [[nodiscard]] bool is_store() const { return kind >= Kind::store && kind <= Kind::store_conditional; }
  /// Changes the flow of control when executed: calls and returns of PALcode included.
  [[nodiscard]] bool is_branch() const { return branch != BranchKind::none; }
};

/// Never fails: what is no instruction has Kind::illegal.
[[nodiscard]] Operation classify(const Code& code);

}  // namespace pmusim::trace::alpha
