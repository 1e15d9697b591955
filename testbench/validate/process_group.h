// A program in a process group of its own that does not outlive this process, however this one ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// How a program is started.
struct Launch {
  std::vector<std::string> words;  ///< looked for in PATH
  std::string shell;               ///< this by /bin/sh if there are no words, or there is no such program
};

/// Between this process and the program stands a small one, the group's leader. It says how the program ended, and
/// ends the whole group when this process asks for it or is gone.
class ProcessGroup {
 public:
  /// Standard input and output of the program are these descriptors. Throws std::system_error.
  ProcessGroup(const Launch& launch, int input, int output);
  ~ProcessGroup();  ///< ends the group
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  /// Waits for the program, not for others of its group; its status as waitpid() gives it, or nothing after `longest`.
  [[nodiscard]] std::optional<int> wait(std::chrono::milliseconds longest);
  /// SIGTERM to the group, SIGKILL after a moment. Everything in it has ended when this returns.
  void end();

 private:
  pid_t leader_ = -1;
  int lifeline_ = -1;  ///< the leader ends the group when it is closed
  int report_ = -1;    ///< the leader writes the status here
  std::optional<int> status_;
};

/// "exit code 3", "killed by SIGSEGV (Segmentation fault)".
[[nodiscard]] std::string words_of_status(int status);

}  // namespace pmusim::testbench
