// What the encoding of an instruction tells of its length, where it goes, and what it accesses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "step.h"

namespace pmusim::trace::import {

struct Facts {
  bool branches = false;     ///< may go elsewhere than to the next instruction
  bool conditional = false;  ///< and need not
  bool has_target = false;
  std::uint64_t target = 0;
  bool repeats = false;  ///< i386 rep: may go to itself after an access
  unsigned load_bytes = 0, store_bytes = 0;
  bool block = false;  ///< PowerPC: names a block of the cache, see ppc_operand()
};

/// Bytes of the instruction that begins with these, of which there may be too few or too many; 0: no instruction.
[[nodiscard]] unsigned length_of(Isa isa, std::span<const std::uint8_t> bytes);
[[nodiscard]] Facts facts_of(Isa isa, const Code& code);
/// The accesses as the text interchange has them: what the tool left out comes from the encoding. Empty `list` stays.
void complete_accesses(Isa isa, const Code& code, const Facts& facts, const std::vector<StepAccess>& told,
                       std::vector<Access>& list);

}  // namespace pmusim::trace::import
