// An input as a file with a name, for readers that open files. It is in memory, so that a fuzzer writes no disk.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace pmusim::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
      std::abort();
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace pmusim::fuzz
