// Runs pmusim as a user does, with its streams captured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

struct Outcome {
  int code = -1;  ///< exit code; 128 and more: terminated by a signal
  std::string out;
  std::string err;
};

/// Runs `pmusim ARGUMENTS`, words as of the shell, in the scratch folder, with PMUSIM_DATA set to the source tree. Runs
/// the program's code in a copy of this process; with pipes and the like, the built program through the shell. The test
/// program must not have simulated with SystemC before, which can be done once in a process.
[[nodiscard]] Outcome pmusim(const std::string& arguments);
/// Runs any shell command line in the same folder and environment; $PMUSIM is the path of the built program.
[[nodiscard]] Outcome shell(const std::string& line);

/// A folder for this process, emptied at the first call. Its name has a blank, and so have the paths that the functions
/// below return: the program and the sources are reached through links in it. `as_word` makes a word of each.
[[nodiscard]] const std::string& scratch();
/// Writes a file in the scratch folder and returns its path.
std::string write_file(const std::string& name, const std::string& content);
/// Writes `wrong.py`, an encoder for the Athlon that selects clocks (76h) for every event.
void write_wrong_encoder();
[[nodiscard]] std::string read_file(const std::string& path);
/// Path of a file of the source tree, such as `README.md`.
[[nodiscard]] std::string source_file(const std::string& name);
/// Path of a shipped trace, such as `i386-units`.
[[nodiscard]] std::string recorded(const std::string& name);
/// Path of a micro-trace, such as `alpha/misses`.
[[nodiscard]] std::string micro_trace(const std::string& name);

/// Parses standard output as JSON; fails the test if it is not JSON.
[[nodiscard]] nlohmann::json json_of(const Outcome& outcome);
/// Each line of standard output as JSON.
[[nodiscard]] std::vector<nlohmann::json> rows_of(const Outcome& outcome);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// A measurement of a target: recorded traces by name, and events by name.
struct Measured {
  std::string target, traces, events;
  /// `-t TARGET -e EVENTS --trace FILE...`
  [[nodiscard]] std::string options() const;
};
/// One of each target, and of two threads. There are events whose occurrences name instructions, and states: stalls
/// where a target has them, else cycles.
[[nodiscard]] const std::vector<Measured>& measured();

/// `count` one-byte NOPs as an i386 text trace.
[[nodiscard]] std::string nops(unsigned count);
/// 13 of them, with `cycles` idle cycles before the last three.
[[nodiscard]] std::string idle_nops(unsigned cycles);
/// `count` times `ori r0,r0,0` as a ppc text trace.
[[nodiscard]] std::string ppc_nops(unsigned count);

// What the command prints on a terminal, by script(1) and stty(1).

/// Characters of UTF-8.
[[nodiscard]] std::size_t characters(const std::string& line);
[[nodiscard]] std::string widest(const std::string& text);
/// What a command prints on a terminal of this width, without colours. The test fails if its exit code is not 0.
[[nodiscard]] std::string on_terminal(const std::string& arguments, unsigned columns);

// Small IA-64 programs as text traces, at 0x4000000000000400.

/// Consecutive bundles of three NOPs, each an instruction group.
[[nodiscard]] std::string ia64_nops(unsigned count);
/// A loop of two bundles: a load from a new page in each round, and a branch back, taken in all rounds except the last.
[[nodiscard]] std::string ia64_loop(unsigned rounds);

}  // namespace pmusim::cli_test
