// Programs built for the test with the cross compilers, and other people's tools to look at them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::cli_test {

struct CrossTools {
  trace::Isa isa;
  std::string prefix;    ///< of the names of the tools, with the dash
  std::string build;     ///< a command that compiles SOURCES with lines into OUTPUT
  std::string function;  ///< that the program has
};
/// One for each instruction set. IA-64 has an assembler and no compiler.
[[nodiscard]] const std::vector<CrossTools>& cross_tools();
/// Path of the linked program, made once; empty if the tools are not there.
[[nodiscard]] std::string built_program(const CrossTools& tools);
/// What a shell command prints. Fails the test if it does not end with 0.
[[nodiscard]] std::string output_of(const std::string& command);

}  // namespace pmusim::cli_test
