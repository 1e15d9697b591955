// Runs the built pmusim as a user does: through the shell, with its streams captured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "testbench/tests/as_word.h"

namespace pmusim::cli_test {

struct Outcome {
  int code = -1;  ///< exit code; 128 and more: terminated by a signal
  std::string out;
  std::string err;
};

/// Runs `pmusim ARGUMENTS` through the shell in the scratch folder, with PMUSIM_DATA set to the source tree.
[[nodiscard]] Outcome pmusim(const std::string& arguments);
/// Runs any shell command line in the same way; $PMUSIM is the path of the program.
[[nodiscard]] Outcome shell(const std::string& line);

/// A folder for this process, emptied at the first call. Its name has a blank, and so have the paths that the functions
/// below return: the program and the sources are reached through links in it. `as_word` makes a word of each.
[[nodiscard]] const std::string& scratch();
/// Writes a file in the scratch folder and returns its path.
std::string write_file(const std::string& name, const std::string& content);
[[nodiscard]] std::string read_file(const std::string& path);
/// Path of a file of the source tree, such as `README.md`.
[[nodiscard]] std::string source_file(const std::string& name);
/// Path of a shipped trace, such as `i386-units`.
[[nodiscard]] std::string recorded(const std::string& name);
/// Path of a micro-trace, such as `alpha/misses`.
[[nodiscard]] std::string micro_trace(const std::string& name);

/// Parses standard output as JSON; fails the test if it is not JSON.
[[nodiscard]] nlohmann::json json_of(const Outcome& outcome);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// `count` one-byte NOPs as an i386 text trace.
[[nodiscard]] std::string nops(unsigned count);
/// 13 of them, with `cycles` idle cycles before the last three.
[[nodiscard]] std::string idle_nops(unsigned cycles);
/// `count` times `ori r0,r0,0` as a ppc text trace.
[[nodiscard]] std::string ppc_nops(unsigned count);

}  // namespace pmusim::cli_test
