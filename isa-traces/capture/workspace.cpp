#include "workspace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "capture.h"

namespace pmusim::trace {

namespace fs = std::filesystem;

namespace {

std::string name_beside(const fs::path& output) {
  return (fs::absolute(output).parent_path() / ".capture-XXXXXX").string();
}

[[noreturn]] void cannot_write(const fs::path& output) {
  throw CaptureError(
      fmt::format("{}: cannot be written; expected a file in a folder that exists and is writable", output.string()));
}

}  // namespace

Workspace::Workspace(const fs::path& output) {
  std::string name = name_beside(output);
  if (::mkdtemp(name.data()) == nullptr) cannot_write(output);
  folder_ = name;
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

UnnamedFile::UnnamedFile(const fs::path& output) {
  std::string name = name_beside(output);
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) cannot_write(output);
  ::unlink(name.c_str());
}

UnnamedFile::~UnnamedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int UnnamedFile::release() { return std::exchange(descriptor_, -1); }

fs::path UnnamedFile::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_); }

}  // namespace pmusim::trace
