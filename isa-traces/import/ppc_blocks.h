// The form in which traces have PowerPC's accesses that are no plain load or store.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pmusim/trace/ppc.h"

namespace pmusim::trace::ppc {

/// Cache-block instructions are one access that carries the address: a 1-byte load, or for dcbz a store of the block.
[[nodiscard]] std::optional<Access> normal_form(Kind kind, std::uint64_t address);
/// One access for each register moved: 4 bytes, the last perhaps fewer.
[[nodiscard]] std::vector<Access> words(std::uint32_t address, std::uint32_t bytes, bool store);
/// Registers that a load or store multiple moves.
[[nodiscard]] unsigned words_moved(const Code& code);
/// The instruction as a number.
[[nodiscard]] std::uint32_t word_of(const Code& code);

}  // namespace pmusim::trace::ppc
