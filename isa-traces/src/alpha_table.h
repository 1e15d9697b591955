// The instruction table of the Alpha architecture with its extensions BWX, FIX, CIX and MVI.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pmusim/trace/alpha.h"

namespace pmusim::trace::alpha {

/// The bits that select a row, in addition to the opcode (31:26). Format names are those of the handbook.
enum class Form : std::uint8_t {
  opcode,        ///< no further bits: memory, branch, PALcode
  memory_jump,   ///< 15:14
  memory_code,   ///< 15:0
  operate,       ///< 11:5; bit 12: the second operand is a literal
  fp_operate,    ///< 15:5
  fp_qualified,  ///< 10:5, the six bits of the operation; 15:11 are trap and rounding qualifiers
};

/// Operands of a row, as a set of bits. Fields: ra 25:21, rb 20:16, rc 4:0; f: floating point; to_: written.
enum Operand : std::uint16_t {
  none = 0,
  ra = 1U << 0U,
  rb = 1U << 1U,  ///< unless it is a literal
  rc = 1U << 2U,
  fa = 1U << 3U,
  fb = 1U << 4U,
  fc = 1U << 5U,
  to_ra = 1U << 6U,
  to_rc = 1U << 7U,
  to_fa = 1U << 8U,
  to_fc = 1U << 9U,
  fpcr = 1U << 10U,
  to_fpcr = 1U << 11U,
  unaligned = 1U << 12U,
};

struct Row {
  std::string_view mnemonic;
  std::uint8_t opcode;
  std::uint16_t function;
  Form form;
  Kind kind;
  std::uint16_t operands;
  std::uint8_t access_size = 0;
  Extension extension = Extension::base;
  BranchKind branch = BranchKind::none;
};

[[nodiscard]] std::span<const Row> table();

}  // namespace pmusim::trace::alpha
