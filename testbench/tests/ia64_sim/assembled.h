// Small IA-64 programs for tests, assembled by binutils.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulate.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {

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

}  // namespace pmusim::testbench
