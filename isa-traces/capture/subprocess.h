// Runs another program to its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pmusim::trace {

/// The standard streams of a program.
struct Streams {
  int input = 0;       ///< descriptor for its standard input
  bool quiet = false;  ///< discard its standard output and standard error
};

/// Runs words[0], searched in PATH, with the other words as arguments and returns its exit status. Throws CaptureError
/// if it cannot be started (`install` names the software to install if it is missing), or if a signal killed it; `what`
/// is its name in this message.
int run_program(std::vector<std::string> words, const std::string& install, const std::string& what,
                bool empty_environment, Streams streams = {});

/// Standard input for two runs of a program: the second run reads the same data as the first. Data of a pipe, which
/// cannot be read again, is stored in a file beside `output` during the first run; a terminal is read twice.
class RepeatedInput {
 public:
  explicit RepeatedInput(const std::filesystem::path& output);
  ~RepeatedInput();
  RepeatedInput(const RepeatedInput&) = delete;
  RepeatedInput& operator=(const RepeatedInput&) = delete;
  [[nodiscard]] int first() const { return first_; }
  /// Descriptor for the second run. Call it after the first run has ended.
  [[nodiscard]] int second();

 private:
  void stop_copying();
  int first_ = 0, kept_ = -1;
  std::int64_t offset_ = -1;  // position in a regular file; -1: no regular file
  int copier_ = -1;           // process that copies a pipe; -1: none
};

}  // namespace pmusim::trace
