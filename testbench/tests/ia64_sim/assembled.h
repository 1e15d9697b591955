// Small IA-64 programs for tests, assembled by binutils.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulate.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {

/// Assembles and links sources to an executable's bytes. `switches` of the assembler.
[[nodiscard]] std::vector<std::uint8_t> assemble(const std::vector<std::filesystem::path>& sources,
                                                 const std::string& switches = "-x");
[[nodiscard]] std::vector<std::uint8_t> assemble_text(const std::string& source, const std::string& switches = "");

/// Runs every snippet in one program and returns what each left in r8. A snippet may use r8-r11, r14-r31, f6-f15,
/// p6-p15, `work` (1 KiB of data, zero at the start of each snippet is not promised) and branch registers but b0.
[[nodiscard]] std::vector<std::uint64_t> evaluate(const std::vector<std::string>& snippets);

/// The message of the error with which a program ends; empty if it exits. At `odd` are 15 bytes of data, not aligned.
[[nodiscard]] std::string error_of(const std::string& source, const trace::ia64::SimulationOptions& options = {});

}  // namespace pmusim::testbench
