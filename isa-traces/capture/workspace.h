// Intermediate files of a recording.
#pragma once

#include <filesystem>

namespace pmusim::trace {

/// A folder for intermediate files beside the output; gone with its object. Throws CaptureError if it cannot be made.
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

/// An intermediate file without a name, as large as a recording: gone with this process, however that ends. Throws
/// CaptureError if it cannot be made beside the output.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::filesystem::path& output);
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  /// By which this process and those that it starts can open it.
  [[nodiscard]] std::filesystem::path path() const;
  /// The descriptor, which is the caller's to close.
  [[nodiscard]] int release();

 private:
  int descriptor_ = -1;
};

}  // namespace pmusim::trace
