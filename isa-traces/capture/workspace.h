// Intermediate files of a recording.
#pragma once

#include <filesystem>

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

}  // namespace pmusim::trace
