// The instruction table of the 32-bit PowerPC architecture as the 750 implements it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pmusim/trace/ppc.h"

namespace pmusim::trace::ppc {

/// Bits that select a row in addition to the primary opcode (bits 0-5), and the meaning of bit 31.
enum class Form : std::uint8_t {
  primary,       ///< primary opcode alone (D, I, B, SC)
  primary_rc,    ///< primary opcode alone; bit 31 = Rc (M)
  extended,      ///< bits 21-30; bit 31 reserved, must be 0 (X, XL, XFX)
  extended_lk,   ///< bits 21-30; bit 31 = LK (XL branches)
  extended_rc,   ///< bits 21-30; bit 31 = Rc (X, XFL)
  extended_dot,  ///< bits 21-30; bit 31 must be 1 (stwcx.)
  arithmetic,    ///< bits 22-30; bit 21 = OE, bit 31 = Rc (XO)
  floating,      ///< bits 26-30; bit 31 = Rc (A)
};

/// Flags for the operands that a row reads and writes. Field names are those of the manual.
enum Operand : std::uint32_t {
  none = 0,
  rA = 1U << 0U,       ///< reads GPR rA
  rA_or_0 = 1U << 1U,  ///< reads GPR rA, or the value 0 if the field is 0
  rB = 1U << 2U,
  rS = 1U << 3U,     ///< reads the GPR in bits 6-10
  to_rD = 1U << 4U,  ///< writes the GPR in bits 6-10
  to_rA = 1U << 5U,
  frA = 1U << 6U,
  frB = 1U << 7U,
  frC = 1U << 8U,
  frS = 1U << 9U,
  to_frD = 1U << 10U,
  carry_in = 1U << 11U,   ///< reads XER[CA]
  carry_out = 1U << 12U,  ///< writes XER[CA]
  to_crfD = 1U << 13U,
  crfS = 1U << 14U,
  crb = 1U << 15U,  ///< reads the CR fields of crbA and crbB, reads and writes that of crbD
  to_fpscr = 1U << 16U,
  fpscr = 1U << 17U,
  xer = 1U << 18U,  ///< reads XER
  to_xer = 1U << 19U,
  to_cr0 = 1U << 20U,        ///< always records (addic., andi., stwcx.)
  multiple = 1U << 21U,      ///< GPRs from bits 6-10 through 31
  string_count = 1U << 22U,  ///< GPRs from bits 6-10, number given by the NB field
  crm = 1U << 23U,           ///< writes the CR fields of the mask CRM (mtcrf)
  all_cr = 1U << 24U,        ///< reads all CR fields (mfcr)
  spr_from = 1U << 25U,      ///< reads the special register of the SPR or TBR field
  spr_to = 1U << 26U,        ///< writes the special register of the SPR field
  update = 1U << 27U,        ///< load or store with update: writes the address to rA
  no_l_bit = 1U << 28U,      ///< bit 10 (L) must be 0
};

struct Row {
  std::string_view mnemonic;
  std::uint8_t primary;
  std::uint16_t extended;
  Form form;
  Kind kind;
  std::uint32_t operands;
  std::uint8_t access_size = 0;  ///< bytes of a plain load or store
};

[[nodiscard]] std::span<const Row> table();

}  // namespace pmusim::trace::ppc
