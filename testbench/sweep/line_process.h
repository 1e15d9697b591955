// A child process that answers lines with lines.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "testbench/support/error.h"
#include "testbench/sweep/process_group.h"

namespace pmusim::testbench {

/// A foreign program and its permissions.
struct ForeignProgram {
  std::string command;    ///< a command line. A shell runs it only if it contains shell syntax
  unsigned timeout = 10;  ///< seconds for an answer
  bool sandbox = false;   ///< run under bubblewrap: no network, no home folder, read-only files
};

/// The program of an encoder cannot be run.
struct CannotRun : UsageError {
  using UsageError::UsageError;
};

/// An untrusted program: the length of its lines and the time to read and to write one are limited. Every failure is a
/// UsageError that names the command and the failure.
class LineProcess {
 public:
  explicit LineProcess(ForeignProgram program);
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  ~LineProcess();  ///< ends the process and all processes of its group

  /// Queues `text` and a line feed. They are written during receive(), as the program reads them.
  void post(const std::string& text);
  /// The same, but waits until the text is written. `what` names the text for the error message: "request 3".
  void send(const std::string& text, const std::string& what);
  /// Returns the next line, without its end. `what` names the expected text for the error message.
  [[nodiscard]] std::string receive(const std::string& what);
  /// Closes its input. Returns the exit code, 128 plus the signal, or nothing if it still runs after the time-out.
  [[nodiscard]] std::optional<int> finish();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  [[nodiscard]] Deadline deadline() const;
  [[nodiscard]] bool ready(int descriptor, Deadline deadline);
  [[nodiscard]] bool write_queued();
  [[nodiscard]] bool started() const;
  void wait_for_start();
  [[noreturn]] void gone(const std::string& what);

  ForeignProgram program_;
  std::string queued_;  ///< not yet written
  std::string buffer_;  ///< received and not yet returned
  std::size_t written_ = 0;
  bool started_ = false;
  int write_ = -1;
  int read_ = -1;
  std::unique_ptr<ProcessGroup> group_;
};

}  // namespace pmusim::testbench
