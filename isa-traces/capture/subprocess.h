// Runs another program to its end, and keeps the intermediate files of a recording.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pmusim::trace {

/// A folder for intermediate files beside the output; the destructor removes it. The constructor throws CaptureError if
/// the folder cannot be created.
class Workspace {
 public:
  explicit Workspace(const std::filesystem::path& output);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// An intermediate file without a name, for a whole recording. It is removed when this process ends, even by a signal.
/// The constructor throws CaptureError if it cannot be created beside the output.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::filesystem::path& output);
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  /// A path with which this process and its children can open the file.
  [[nodiscard]] std::filesystem::path path() const;
  /// Returns the descriptor; the caller must close it.
  [[nodiscard]] int release();

 private:
  int descriptor_ = -1;
};

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

/// Writes bytes to a descriptor. False if that fails.
bool write_all(int descriptor, std::string_view bytes);

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
