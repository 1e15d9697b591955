// binutils' disassembler as the judge of the decoder.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pmusim::testbench {

struct DisassembledSlot {
  std::string predicate;  ///< "p5", empty for none
  std::string mnemonic;   ///< "data8" for what binutils calls reserved; "" for slot 1 of an MLX bundle
  std::string operands;
};
struct DisassembledBundle {
  std::string units;  ///< as "MII"
  std::array<DisassembledSlot, 3> slots;
};
using BundleBytes = std::array<std::uint8_t, 16>;

/// ia64-linux-gnu-objdump of bundles at 0, 0x10, 0x20, ...
[[nodiscard]] std::vector<DisassembledBundle> disassemble(const std::vector<BundleBytes>& bundles);
/// A bundle from its template and slots.
[[nodiscard]] BundleBytes bundle_of(unsigned template_number, std::array<std::uint64_t, 3> slots);
/// Does binutils' word, a pseudo-op perhaps, stand for the manual's mnemonic with completers?
[[nodiscard]] bool same_mnemonic(const DisassembledSlot& theirs, const std::string& ours);

}  // namespace pmusim::testbench
