// binutils' disassembler as the reference for the decoder.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pmusim::testbench {

struct DisassembledSlot {
  std::string predicate;  ///< "p5"; empty: none
  std::string mnemonic;   ///< "data8" for encodings that binutils regards as reserved; "" for slot 1 of an MLX bundle
  std::string operands;
};
struct DisassembledBundle {
  std::string units;  ///< e.g. "MII"
  std::array<DisassembledSlot, 3> slots;
};
using BundleBytes = std::array<std::uint8_t, 16>;

/// Disassembles bundles at 0, 0x10, 0x20, ... with ia64-linux-gnu-objdump.
[[nodiscard]] std::vector<DisassembledBundle> disassemble(const std::vector<BundleBytes>& bundles);
/// A bundle from its template and slots.
[[nodiscard]] BundleBytes bundle_of(unsigned template_number, std::array<std::uint64_t, 3> slots);
/// True if binutils' mnemonic, which may be a pseudo-op, stands for the manual's mnemonic with completers.
[[nodiscard]] bool same_mnemonic(const DisassembledSlot& theirs, const std::string& ours);

}  // namespace pmusim::testbench
