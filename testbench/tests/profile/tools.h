// Programs built for the test with the cross compilers, and external tools that read them.
#pragma once

#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::cli_test {

struct CrossTools {
  trace::Isa isa;
  std::string prefix;    ///< of the tools' names, with the dash
  std::string build;     ///< a command that compiles SOURCES with line numbers into OUTPUT
  std::string function;  ///< a function of the program
};
/// One entry for each instruction set. For IA-64 there is an assembler but no compiler.
[[nodiscard]] const std::vector<CrossTools>& cross_tools();
/// Path of the linked program, built once; empty if the tools are missing.
[[nodiscard]] std::string built_program(const CrossTools& tools);
/// Output of a shell command. Fails the test if its exit status is not 0.
[[nodiscard]] std::string output_of(const std::string& command);

}  // namespace pmusim::cli_test
