// A program in its own process group that never outlives this process, however this process ends, on request with
// reduced rights.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// How a program is started.
struct Launch {
  std::vector<std::string> words;  ///< found along PATH
  std::string shell;               ///< run by /bin/sh if there are no words, or no such program
};

/// A small process, the leader of the group, is between this process and the program. It reports the program's exit
/// status, and ends the whole group when this process requests it or has ended.
class ProcessGroup {
 public:
  /// Standard input and output of the program are these descriptors. Throws std::system_error.
  ProcessGroup(const Launch& launch, int input, int output);
  /// Sends SIGTERM to the group, and SIGKILL after half a second. When this returns, all its processes have ended.
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  /// Waits for the program, but not for others of its group. Returns its status as waitpid() does, or nothing after
  /// `longest`.
  [[nodiscard]] std::optional<int> wait(std::chrono::milliseconds longest);

 private:
  pid_t leader_ = -1;
  int lifeline_ = -1;  ///< closing it makes the leader end the group
  int report_ = -1;    ///< the leader writes the status here
  std::optional<int> status_;
};

/// "exit code 3", "killed by SIGSEGV (Segmentation fault)".
[[nodiscard]] std::string words_of_status(int status);
/// True if the exit status says that there was no program, or none that could be executed.
[[nodiscard]] bool cannot_run(int status);

// Starts a foreign command: without a shell if it needs none, and with reduced rights on request.

/// The words of a command line; none if it contains shell syntax.
[[nodiscard]] std::vector<std::string> words_of_command(const std::string& command);

/// The same under bubblewrap: no network, no other processes, no home folder. All files are read-only, and folders for
/// temporary files are empty, except the current folder and the program's own folder. Throws UsageError without
/// bubblewrap.
[[nodiscard]] Launch sandboxed(const Launch& launch);

}  // namespace pmusim::testbench
