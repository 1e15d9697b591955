// Small IA-64 programs for tests, assembled by binutils.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulate.h"
#include "testbench/tests/scratch.h"
#include "testbench/tests/tools.h"

namespace pmusim::testbench {

/// A test that assembles programs or takes them apart.
class WithBinutils : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_tools({"ia64-linux-gnu-as", "ia64-linux-gnu-ld", "ia64-linux-gnu-objdump"}))
      GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  }
};

/// Assembles and links sources; returns the executable's bytes. `switches` are options of the assembler.
[[nodiscard]] std::vector<std::uint8_t> assemble(const std::vector<std::filesystem::path>& sources,
                                                 const std::string& switches = "-x");
[[nodiscard]] std::vector<std::uint8_t> assemble_text(const std::string& source, const std::string& switches = "");

/// Runs all snippets in one program and returns the value that each left in r8. A snippet may use r8-r11, r14-r31,
/// f6-f15, p6-p15, `work` (1 KiB of data, not necessarily zero at the start of a snippet) and branch registers except
/// b0.
[[nodiscard]] std::vector<std::uint64_t> evaluate(const std::vector<std::string>& snippets);

/// The error message with which a program ends; empty if it exits normally. The symbol `odd` names 15 bytes of
/// unaligned data.
[[nodiscard]] std::string error_of(const std::string& source, const trace::ia64::SimulationOptions& options = {});

// binutils' disassembler as the reference for the decoder.

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
