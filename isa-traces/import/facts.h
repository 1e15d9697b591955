// Facts that follow from the encoding of an instruction: its length, branch targets and memory accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/ppc.h"
#include "step.h"

namespace pmusim::trace::import {

struct Facts {
  bool branches = false;     ///< may branch to another address than the next
  bool conditional = false;  ///< a branch that may also continue at the next address
  bool has_target = false;
  std::uint64_t target = 0;
  bool repeats = false;  ///< i386 rep: may branch to itself after an access
  unsigned load_bytes = 0, store_bytes = 0;
  bool block = false;  ///< PowerPC: its operand is a cache block, see ppc::normal_form()
};

/// Length in bytes of the instruction at the beginning of `bytes`, which may be longer than `bytes`. 0: no instruction.
[[nodiscard]] unsigned length_of(Isa isa, std::span<const std::uint8_t> bytes);
[[nodiscard]] Facts facts_of(Isa isa, const Code& code);
/// Converts the accesses that the tool `reported` to the accesses of the text interchange form. The encoding supplies
/// missing facts. Without reported accesses `list` is empty.
void complete_accesses(Isa isa, const Code& code, const Facts& facts, const std::vector<StepAccess>& reported,
                       std::vector<Access>& list);

}  // namespace pmusim::trace::import

// The form of PowerPC accesses in traces that are not plain loads or stores.
namespace pmusim::trace::ppc {

/// The access of a cache-block instruction: a 1-byte load at its address, or for dcbz a store of the block. Empty for
/// other instructions.
[[nodiscard]] std::optional<Access> normal_form(Kind kind, std::uint64_t address);
/// One access for each transferred register, of 4 bytes; the last one may be smaller.
[[nodiscard]] std::vector<Access> words(std::uint32_t address, std::uint32_t bytes, bool store);
/// Number of registers that a load or store multiple transfers.
[[nodiscard]] unsigned words_moved(const Code& code);
/// The instruction as a 32-bit number.
[[nodiscard]] std::uint32_t word_of(const Code& code);

}  // namespace pmusim::trace::ppc
