// PowerPC instruction classifier: decodes a 32-bit encoding to its properties. The tables follow the Programming
// Environments Manual for 32-bit implementations, appendix A.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::ppc {

/// Kind of operation, and index of the timing tables. integer_extended: reads the carry; no_operation: `ori 0,0,0`.
enum class Kind : std::uint8_t {
  integer,
  integer_extended,
  compare,
  multiply,
  multiply_high,
  multiply_high_unsigned,
  multiply_immediate,
  divide,
  trap_word,
  no_operation,
  load,
  store,
  load_multiple,
  store_multiple,
  load_string,
  store_string,
  load_reserve,
  store_conditional,
  dcbz,
  dcbf,
  dcbst,
  dcbi,
  dcbt,
  dcbtst,
  icbi,
  fp_single,
  fp_double_add,
  fp_double_multiply,
  fp_compare,
  fp_divide_single,
  fp_divide_double,
  fp_reciprocal,
  fp_move,
  fp_status,
  condition_logical,
  move_to_special,
  move_from_special,
  move_condition,
  move_to_msr,
  move_from_msr,
  segment_register,
  tlb_management,
  sync,
  isync,
  eieio,
  system_call,
  return_from_interrupt,
  branch,
  illegal
};

/// Source of a branch target: the encoding, LR, or CTR.
enum class BranchKind : std::uint8_t { none, direct, to_link, to_count };

/// Register numbers in reads and writes: 0-31 GPR, 32-63 FPR, 64-71 CR0-CR7, then the following.
inline constexpr std::uint8_t reg_fpr = 32;     ///< FPR0
inline constexpr std::uint8_t reg_cr = 64;      ///< CR0
inline constexpr std::uint8_t reg_lr = 72;      ///< link register
inline constexpr std::uint8_t reg_ctr = 73;     ///< count register
inline constexpr std::uint8_t reg_xer = 74;     ///< XER
inline constexpr std::uint8_t reg_fpscr = 75;   ///< floating-point status and control register
inline constexpr unsigned register_count = 76;  ///< number of register numbers

/// A decoded instruction. Members that do not apply to its kind keep their defaults.
struct Operation {
  std::string_view mnemonic;             ///< basic mnemonic without record dot, e.g. "lwzux"; "" for illegal
  Kind kind = Kind::illegal;             ///< kind of operation, and index of the timing tables
  BranchKind branch = BranchKind::none;  ///< none for instructions that are not branches
  bool conditional = false;              ///< branch whose direction depends on CR or CTR
  bool reads_condition = false;          ///< branch tests a CR bit
  bool decrements_count = false;         ///< branch that decrements CTR and tests it
  bool links = false;                    ///< branch writes LR
  bool predict_taken_static = false;     ///< static prediction by the y bit
  bool has_target = false;               ///< direct branch
  std::uint64_t target = 0;              ///< target address in the encoding, if has_target
  bool update = false;                   ///< load/store with update
  bool fp_memory = false;                ///< load or store of a floating-point register
  std::uint16_t spr = 0;                 ///< SPR number of mtspr, mfspr, mftb
  std::uint8_t access_size = 0;          ///< size of a plain load or store in bytes
  std::vector<std::uint8_t> reads;       ///< registers read, by the numbers above
  std::vector<std::uint8_t> writes;      ///< registers written, by the numbers above
};

/// Classifies an instruction. Never fails: an invalid encoding has Kind::illegal.
[[nodiscard]] Operation classify(const Code& code);

}  // namespace pmusim::trace::ppc
