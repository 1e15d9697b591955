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

}  // namespace pmusim::trace
