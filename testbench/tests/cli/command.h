// Runs the built pmusim as a user does: through the shell, with its streams caught.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pmusim::cli_test {

struct Outcome {
  int code = -1;  ///< exit code; 128 and more: ended by a signal
  std::string out;
  std::string err;
};

/// `pmusim ARGUMENTS` by the shell in the scratch folder, with PMUSIM_DATA set to the source tree.
[[nodiscard]] Outcome pmusim(const std::string& arguments);
/// Any shell command line, run in the same way; $PMUSIM names the program.
[[nodiscard]] Outcome shell(const std::string& line);

/// A folder of this process, made empty at the first call.
[[nodiscard]] const std::string& scratch();
/// Writes a file there and returns its path.
std::string write_file(const std::string& name, const std::string& content);
[[nodiscard]] std::string read_file(const std::string& path);
/// Path of a shipped trace, `i386-units`.
[[nodiscard]] std::string recorded(const std::string& name);

/// Standard output as JSON; fails the test if it is none.
[[nodiscard]] nlohmann::json json_of(const Outcome& outcome);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// `count` one-byte NOPs in a row, as an i386 text trace.
[[nodiscard]] std::string nops(unsigned count);
/// The same of `ori r0,r0,0` for ppc.
[[nodiscard]] std::string ppc_nops(unsigned count);

}  // namespace pmusim::cli_test
