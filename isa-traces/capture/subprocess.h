// Running another program to its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pmusim::trace {

/// What a program reads and writes besides files that it opens itself.
struct Streams {
  int input = 0;       ///< descriptor that becomes its standard input
  bool quiet = false;  ///< what it writes to standard output and standard error is dropped
};

/// Runs words[0], found along PATH, with the rest as arguments and this environment; returns its exit status. Throws
/// CaptureError if it cannot be started (`install` says what to install if it is not there) or a signal killed it,
/// which then was `what`.
int run_program(std::vector<std::string> words, const std::string& install, const std::string& what,
                bool empty_environment, Streams streams = {});

/// Standard input for two runs of a program: the second reads what the first could read. What cannot be read again, a
/// pipe, is kept in a file beside `output` while the first run reads it; a terminal is asked twice.
class RepeatedInput {
 public:
  explicit RepeatedInput(const std::filesystem::path& output);
  ~RepeatedInput();
  RepeatedInput(const RepeatedInput&) = delete;
  RepeatedInput& operator=(const RepeatedInput&) = delete;
  [[nodiscard]] int first() const { return first_; }
  /// After the first run has ended.
  [[nodiscard]] int second();

 private:
  void stop_copying();
  int first_ = 0, kept_ = -1;
  std::int64_t offset_ = -1;  // of a file
  int copier_ = -1;           // a process
};

}  // namespace pmusim::trace
