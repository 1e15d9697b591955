// Converts the input of a fuzzer to arguments of calls.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace pmusim::fuzz {

/// Reads arguments from the input; zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  [[nodiscard]] bool empty() const { return left_ == 0; }
  unsigned byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  /// A small number in most cases, sometimes a large one.
  unsigned index() {
    const unsigned first = byte();
    return first < 0xf0 ? first : first << 28 | byte() << 8 | byte();
  }
  /// A number of up to 64 bits, the more significant bytes first.
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (unsigned length = byte() % 9; length > 0; --length) value = value << 8 | byte();
    return value;
  }
  std::string text() {
    std::string result;
    for (unsigned length = byte() % 64; length > 0 && left_ > 0; --length)
      if (const char c = static_cast<char>(byte())) result += c;
    return result;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

// A fuzzer ends with a message if a property does not hold.

inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "violated: " << what << '\n';
  std::abort();
}

/// An error message for users must be one line.
inline void require_one_line(std::string_view error) {
  require(!error.empty() && error.find('\n') == error.npos, "an error is one line");
}

// A named file in memory for readers and writers that open files, so that a fuzzer does not write to disk.

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
      std::abort();
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  /// The present content.
  [[nodiscard]] std::string content() const {
    std::string text(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    if (::pread(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
    return text;
  }
  [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace pmusim::fuzz
