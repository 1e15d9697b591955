// A child process that answers lines with lines.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "testbench/validate/process_group.h"

namespace pmusim::testbench {

/// Somebody else's program and what it may do.
struct ForeignProgram {
  std::string command;    ///< a command line of the shell, which is asked only if it has words of a shell
  unsigned timeout = 10;  ///< seconds for an answer
  bool sandbox = false;   ///< under bubblewrap: without network, without home, files to be read only
};

/// A program that is not trusted: its lines are bounded, and so is the time to read and to write one. Every failure
/// is a UsageError that names the command and what it did.
class LineProcess {
 public:
  explicit LineProcess(ForeignProgram program);
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  ~LineProcess();  ///< ends the process and everything in its group

  /// Queues `text` and a line feed; they are written while receive() waits, as the program reads them.
  void post(const std::string& text);
  /// The same, and waits until all is written. `what` is being sent, for the message: "request 3".
  void send(const std::string& text, const std::string& what);
  /// The next line, without its end. `what` is due, for the message.
  [[nodiscard]] std::string receive(const std::string& what);
  /// Closes its input; the exit code, 128 and the signal, or nothing when it still runs after the time-out.
  [[nodiscard]] std::optional<int> finish();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  [[nodiscard]] Deadline deadline() const;
  [[nodiscard]] bool ready(int descriptor, Deadline deadline);
  [[nodiscard]] bool write_queued();
  [[noreturn]] void gone(const std::string& what);

  ForeignProgram program_;
  std::string queued_;  ///< not yet written
  std::string buffer_;  ///< read, and not yet asked for
  int write_ = -1;
  int read_ = -1;
  std::unique_ptr<ProcessGroup> group_;
};

}  // namespace pmusim::testbench
