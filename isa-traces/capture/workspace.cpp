#include "workspace.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <system_error>

#include "capture.h"

namespace pmusim::trace {

namespace fs = std::filesystem;

Workspace::Workspace(const fs::path& output) {
  std::string name = (fs::absolute(output).parent_path() / ".capture-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw CaptureError(
        fmt::format("{}: cannot be written; right: a file in a folder that exists and is writable", output.string()));
  }
  folder_ = name;
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace pmusim::trace
