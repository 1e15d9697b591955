// The form of PowerPC accesses in traces that are not plain loads or stores.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pmusim/trace/ppc.h"

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
