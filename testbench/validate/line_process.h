// A child process that answers lines with lines.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace pmusim::testbench {

/// `command` run by the shell, its standard input and output in pipes. Every failure is a UsageError that names it.
class LineProcess {
 public:
  LineProcess(std::string command, unsigned timeout_seconds);
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  ~LineProcess();  ///< ends the process

  /// Writes `text` and a line feed. `what` is being sent, for the message: "request 3".
  void send(const std::string& text, const std::string& what);
  /// The next line, without its end. `what` is due, for the message.
  [[nodiscard]] std::string receive(const std::string& what);
  /// Closes its input; the exit code, 128 and the signal, or nothing when it still runs after the time-out.
  [[nodiscard]] std::optional<int> finish();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string command_;
  std::string buffer_;
  unsigned timeout_seconds_;
  pid_t child_ = -1;
  int write_ = -1;
  int read_ = -1;
};

}  // namespace pmusim::testbench
